package io.tidemark.node;

import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * An agent's half of the release handshake in the model search, as a value. The model decides when
 * it looks, writes and dies. Immutable.
 */
public interface HandshakeAgent {
  /**
   * It looks at a version.
   *
   * @param told the version that the watch event carries
   * @param newest what its store has, which is not older
   * @param pods whether a pod holds an address
   */
  HandshakeAgent saw(NodeResource told, NodeResource newest, Predicate<IpAddress> pods);

  /** Whether it may give an address to a pod that has none. */
  boolean mayGive(IpAddress address);

  /** The entries of the version that it saw last, as it answers them. */
  SortedMap<IpAddress, HandshakeState> answers();

  /** The agent's own steps, by name; the names stand in {@link HandshakeSearch}. */
  default Map<String, HandshakeAgent> ownSteps(Predicate<IpAddress> pods) {
    return Map.of();
  }

  /**
   * The agent's memory of an address besides the newest version, 0 to 7: where these numbers are
   * equal, two agents behave equally.
   */
  int memory(IpAddress address);
}
