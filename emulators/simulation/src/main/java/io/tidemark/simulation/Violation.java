package io.tidemark.simulation;

/**
 * An invariant that was violated.
 *
 * @param invariant its name in docs/internals/simulation.md, such as {@code I2}
 * @param node the node concerned; empty when none is
 * @param atSeconds virtual time
 * @param detail with the offending values
 */
public record Violation(String invariant, String node, double atSeconds, String detail) {

  @Override
  public String toString() {
    return invariant
        + (node.isEmpty() ? "" : " on " + node)
        + String.format(java.util.Locale.ROOT, " at %.3f s: ", atSeconds)
        + detail;
  }
}
