# Reads export requests of OTLP/HTTP in JSON, one per line, with the official definitions of OpenTelemetry, which refuse
# fields that they do not know and values of other types. Prints how many spans of each name and kind it found.
import base64
import json
import sys
from collections import Counter

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

LENGTHS = {"traceId": 16, "spanId": 8, "parentSpanId": 8}


def in_base64(fields):
    """Ids are hexadecimal in OTLP, and base64 in the JSON of all other protocol buffers."""
    for name, length in LENGTHS.items():
        if name in fields:
            value = bytes.fromhex(fields[name])
            assert len(value) == length, name
            fields[name] = base64.b64encode(value).decode()
    return fields


found = Counter()
for line in sys.stdin:
    sent = json.loads(line, object_hook=in_base64)
    request = json_format.ParseDict(sent, ExportTraceServiceRequest())
    for resource in request.resource_spans:
        assert any(one.key == "service.name" for one in resource.resource.attributes), "service.name"
        for span in (span for scope in resource.scope_spans for span in scope.spans):
            assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano, span.name
            found[f"{Span.SpanKind.Name(span.kind)} {span.name}"] += 1
print(json.dumps(found))
