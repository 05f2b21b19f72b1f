package io.tidemark.config;

import java.util.Optional;
import java.util.SortedSet;

/** Settings by their published key, such as {@code excess-ip-release-delay}. Immutable. */
public interface ConfigSource {
  /** The value as written; empty when not given. Keys are the canonical ones, aliases resolved. */
  Optional<String> value(String key);

  /** Where the value was given, for messages: a file and line, or the command line. */
  String origin(String key);

  /** Every key that was given. */
  SortedSet<String> keys();
}
