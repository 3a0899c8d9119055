// Every connector keeps one contract. What only one of them promises is tested in files of its own.

import { connectorContract } from './any-connector.ts';
import { simulatorInProcess, simulatorOverHttp } from './simulator-subjects.ts';

connectorContract(simulatorInProcess);
connectorContract(simulatorOverHttp);
