// Every connector keeps one contract. What only one of them promises is tested in files of its own.

import { connectorContract } from './any-connector.ts';
import { iso8583Subject } from './iso8583-subject.ts';
import { simulatorInProcess, simulatorOverHttp } from './simulator-subjects.ts';
import { stripeSubject } from './stripe-subject.ts';
import { upstreamSubject } from './upstream-subject.ts';

connectorContract(simulatorInProcess);
connectorContract(simulatorOverHttp);
connectorContract(iso8583Subject);
connectorContract(stripeSubject);
connectorContract(upstreamSubject);
