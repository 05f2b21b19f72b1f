package io.tidemark.simulation.agent;

import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SplittableRandom;

/**
 * Where an agent's addresses come from and what it answers the operator: the release handshake or
 * multi-pool CIDRs. Check and mark are one step, because nothing runs in between.
 */
interface AddressSource {
  /**
   * A version of the object, never older than the one before.
   *
   * @param used addresses that pods hold
   * @param waiting pods that wait for one
   * @return whether the agent has something to write
   */
  boolean seen(NodeResource resource, SortedMap<IpAddress, Pod> used, int waiting);

  /** One of the addresses that may be handed out now. */
  Optional<IpAddress> pick(SortedMap<IpAddress, Pod> used, SplittableRandom random);

  /** The object with what this agent has to say. */
  NodeResource answered(NodeResource base, SortedMap<IpAddress, Pod> used, int waiting);

  /** Whether it speaks through the spec, else through the status. */
  boolean writesSpec();

  /** When further addresses become usable by the passing of time alone. */
  OptionalLong usableAtNanos();

  /** The process was restarted: what was not published is forgotten. */
  void restarted();
}
