package io.tidemark.operator;

import io.tidemark.engine.Providers;
import io.tidemark.program.console.Console;
import io.tidemark.time.StopSignal;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;

/**
 * What a command has of the process it runs in; a test gives its own.
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
    Objects.requireNonNull(console, "console");
    Objects.requireNonNull(in, "in");
    Objects.requireNonNull(stop, "stop");
    Objects.requireNonNull(providers, "providers");
    environment = Map.copyOf(environment);
  }
}
