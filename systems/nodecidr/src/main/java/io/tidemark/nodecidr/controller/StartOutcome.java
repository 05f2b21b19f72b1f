package io.tidemark.nodecidr.controller;

import java.util.List;

/** How {@link NodeCidrController#start} ended. */
public sealed interface StartOutcome {
  /** All nodes were read and their CIDRs are claimed; nodes without any are being served. */
  record Ready() implements StartOutcome {}

  /**
   * The start is strict and some nodes have CIDRs that are not in order; nothing is done.
   *
   * @param problems all of them, a sentence each with the node, the code and the remedy
   */
  record Refused(List<String> problems) implements StartOutcome {
    public Refused {
      problems = List.copyOf(problems);
    }
  }

  /** The controller was stopped before. */
  record Stopped() implements StartOutcome {}
}
