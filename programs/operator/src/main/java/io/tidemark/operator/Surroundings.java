package io.tidemark.operator;

import io.tidemark.engine.Providers;
import io.tidemark.program.console.Console;
import io.tidemark.time.StopSignal;
import java.io.InputStream;
import java.util.Map;

/**
 * The surroundings of a command in its process; a test gives its own.
 *
 * @param in the standard input
 * @param stop ends a command that would go on for ever
 * @param providers clouds to choose from
 * @param environment variables, by name
 */
record Surroundings(
    Console console,
    InputStream in,
    StopSignal stop,
    Providers providers,
    Map<String, String> environment) {
  Surroundings {
    environment = Map.copyOf(environment);
  }

  /** The same with other clouds to choose from. */
  Surroundings with(Providers others) {
    return new Surroundings(console, in, stop, others, environment);
  }
}
