package io.tidemark.agent;

import static java.util.stream.Collectors.joining;

import io.tidemark.testing.Story;
import java.util.stream.Stream;

/** A test in words about the addresses of a node; a step without the sign must not be denied. */
public abstract class AgentStory extends Story {
  /** The code alone, for a step. */
  protected final String denied(Object ending) {
    failed = true;
    return TestNode.denied(ending).code().name();
  }

  /** Code and detail. */
  protected static String why(Object ending) {
    Denial denial = TestNode.denied(ending);
    return denial.code().name() + (denial.retryable() ? ", retryable: " : ": ") + denial.detail();
  }

  protected static String counts(AddressCounts it) {
    return Stream.of(it.available(), it.inUse(), it.cooling(), it.excluded(), it.withheld())
        .map(String::valueOf)
        .collect(joining("/"));
  }
}
