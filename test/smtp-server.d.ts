// What the tests use of the npm package smtp-server, which comes without types.

declare module 'smtp-server' {
  import type { Readable } from 'node:stream';

  export type Session = {
    readonly secure: boolean;
    readonly envelope: {
      readonly mailFrom: { readonly address: string };
      readonly rcptTo: readonly { readonly address: string }[];
    };
  };

  type Done = (error?: Error | null, response?: unknown) => void;

  export class SMTPServer {
    constructor(options: {
      readonly secure?: boolean;
      readonly key?: string;
      readonly cert?: string;
      readonly authOptional?: boolean;
      readonly allowInsecureAuth?: boolean;
      readonly hideSTARTTLS?: boolean;
      readonly disabledCommands?: readonly string[];
      readonly closeTimeout?: number;
      onAuth?(auth: { readonly username: string; readonly password: string }, session: Session, done: Done): void;
      onRcptTo?(address: { readonly address: string }, session: Session, done: Done): void;
      onData?(stream: Readable, session: Session, done: Done): void;
    });
    readonly server: import('node:net').Server;
    listen(port: number, host: string, done: () => void): void;
    close(done: () => void): void;
    on(event: 'error', listener: (error: Error) => void): this;
  }
}
