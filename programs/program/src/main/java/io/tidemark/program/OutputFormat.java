package io.tidemark.program;

/** How a command reports. */
enum OutputFormat {
  /** Tables and sentences for people. */
  TEXT,
  /** One JSON document on the standard output. */
  JSON
}
