/** The hash of the engine's sources, in hexadecimal digits. */
export declare function sourcesHash(): string;
