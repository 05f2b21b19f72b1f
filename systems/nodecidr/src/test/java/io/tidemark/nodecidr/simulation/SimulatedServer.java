package io.tidemark.nodecidr.simulation;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.ip.Cidr;
import io.tidemark.time.EffectRunner;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The API server of a simulated cluster, with the objects that get CIDRs. */
interface SimulatedServer {
  /** A node registers, without CIDRs. */
  ClusterNode create(String name);

  /** The nodes that are shown to an operator, by name. */
  List<ClusterNode> all();

  Optional<ClusterNode> find(String name);

  void delete(String name);

  void beginDeletion(String name);

  /** The program that reports the health of a node writes it. */
  void heartbeat(String name, long drawn);

  /** Another allocator writes CIDRs to a node without any. */
  NodeChange assign(String manager, ClusterNode node, List<Cidr> cidrs);

  /** The way of an operator to the server: who runs its requests, and where it reports problems. */
  Client client(SimulatedOperator operator, EffectRunner effects, ObjectEvents reported);

  /** The clients of an operator; {@code flush} waits for what is written beside the CIDRs. */
  record Client(ClusterNodeStore nodes, ObjectEvents events, Supplier<CompletionStage<?>> flush) {}

  /** Whether an operator that gives these CIDRs to a node writes anything. */
  default boolean writes(Optional<ClusterNode> before, List<Cidr> blocks) {
    return true;
  }

  /** An operator was answered that a node, which was so before, has these CIDRs. */
  default void accepted(String operator, ClusterNode before, String uid, List<Cidr> blocks) {}

  /** A node was deleted, and one of the same name registers within a second. */
  default void recreated(ClusterNode former, ClusterNode node) {}

  /** Further invariants when nothing happens any more. */
  default void atRest(SimulatedOperator leader) {}
}
