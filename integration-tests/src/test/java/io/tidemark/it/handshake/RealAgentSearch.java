package io.tidemark.it.handshake;

import io.tidemark.node.HandshakeSearch;
import java.util.function.UnaryOperator;

/**
 * Searches with the real agent. Made by name from outside, so that it can be of changed classes;
 * speaks in texts for that reason.
 */
public final class RealAgentSearch implements UnaryOperator<String> {
  /** Made by name from outside. */
  public RealAgentSearch() {}

  /**
   * Searches.
   *
   * @param task the grain, and after a blank {@code compared}, {@code alone} or {@code told}
   * @return what the search answers, or "differs: " and where
   */
  @Override
  public String apply(String task) {
    String[] words = task.split(" ", 2);
    RealAgent agent = RealAgent.fresh(words[1].equals("told"));
    try {
      return new HandshakeSearch(words[1].equals("compared") ? ComparedAgents.fresh(agent) : agent)
          .apply(words[0]);
    } catch (ComparedAgents.Differ e) {
      return "differs: " + e.getMessage();
    }
  }
}
