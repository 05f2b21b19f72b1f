package io.tidemark.cluster;

import io.tidemark.ip.Cidr;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * A Kubernetes Node as the allocation of addresses sees it, or another object that stands for one.
 * Immutable. What a node reports about its health is left out, so most updates of a Node make an
 * equal object of another version.
 *
 * @param name {@code metadata.name}
 * @param uid of its incarnation; empty text where the backend has none
 * @param version {@code metadata.resourceVersion}, opaque; empty text where none is given
 * @param created when, by the server's clock; empty where the backend does not say
 * @param beingDeleted whether {@code metadata.deletionTimestamp} is set
 * @param exempt whether it says that nothing is to be assigned to it; the blocks that it has count
 * @param podCidrs the blocks that it has
 * @param providerId {@code spec.providerID}; empty text when absent
 * @param unschedulable {@code spec.unschedulable}
 * @param podsMax {@code status.allocatable.pods}; empty when not known
 * @param networkUnavailable the condition of that name: false only if its status is {@code False};
 *     empty when there is none
 * @param annotations those of this product, whose names begin with {@link #ANNOTATIONS}
 * @param scheduling what it says to the scheduler
 */
public record ClusterNode(
    String name,
    String uid,
    String version,
    Optional<Instant> created,
    boolean beingDeleted,
    boolean exempt,
    PodCidrs podCidrs,
    String providerId,
    boolean unschedulable,
    OptionalInt podsMax,
    Optional<Boolean> networkUnavailable,
    Map<String, String> annotations,
    Scheduling scheduling) {
  /** With what the names of the annotations begin that are kept of a node. */
  public static final String ANNOTATIONS = "tidemark.io/";

  /** By creation time, then name; those without a time come last. */
  public static final Comparator<ClusterNode> OLDEST_FIRST =
      Comparator.comparing((ClusterNode node) -> node.created().orElse(Instant.MAX))
          .thenComparing(ClusterNode::name);

  public ClusterNode {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a node has no name");
    }
    annotations = Map.copyOf(annotations);
  }

  /**
   * The blocks of a node as they are written: older objects hold texts that are not canonical, or
   * none at all.
   *
   * @param first {@code spec.podCIDR}; empty text when absent
   * @param all {@code spec.podCIDRs}, in their order
   * @param writer who wrote them last, by {@code metadata.managedFields}; empty when not known, as
   *     on a node that was created without any field, of which an API server records no writers
   */
  public record PodCidrs(String first, List<String> all, Optional<String> writer) {
    /** A node without blocks. */
    public static final PodCidrs NONE = new PodCidrs("", List.of(), Optional.empty());

    public PodCidrs {
      all = List.copyOf(all);
    }

    /** These blocks, as the API server keeps them. */
    public static PodCidrs of(List<Cidr> cidrs, String writer) {
      List<String> texts = cidrs.stream().map(Cidr::toString).toList();
      return new PodCidrs(
          texts.isEmpty() ? "" : texts.get(0),
          texts,
          Optional.of(writer).filter(w -> !w.isEmpty()));
    }

    public boolean isEmpty() {
      return first.isEmpty() && all.isEmpty();
    }

    /** {@code spec.podCIDRs}, or {@code spec.podCIDR} alone where that is all there is. */
    public List<String> texts() {
      return all.isEmpty() && !first.isEmpty() ? List.of(first) : all;
    }
  }

  /**
   * The taints of a node, and whether its condition {@link #CONDITION} says that pods get no
   * address.
   *
   * @param taints {@code spec.taints}, each as the JSON text that it is, without spaces
   * @param unavailableReason the reason of the condition if its status is {@code False}; empty
   *     otherwise
   */
  public record Scheduling(List<String> taints, Optional<String> unavailableReason) {
    /** A node that has neither taints nor the condition. */
    public static final Scheduling NONE = new Scheduling(List.of(), Optional.empty());

    /** The key of the taint, whose effect is {@code NoSchedule}. */
    public static final String TAINT = "tidemark.io/no-pod-addresses";

    /** The type of the condition. */
    public static final String CONDITION = "PodAddressesAvailable";

    private static final String KEY = "\"key\":\"" + TAINT + '"';
    private static final String EFFECT = "\"effect\":\"NoSchedule\"";

    public Scheduling {
      taints = List.copyOf(taints);
    }

    /** Whether a text is that of our taint. */
    public static boolean isOurs(String taint) {
      return taint.contains(KEY) && taint.contains(EFFECT);
    }

    public boolean isTainted() {
      return taints.stream().anyMatch(Scheduling::isOurs);
    }

    /** Whether nothing here keeps pods away or says that it does. */
    public boolean isClear() {
      return unavailableReason.isEmpty() && !isTainted();
    }

    private boolean isSameAs(Scheduling other) {
      return isTainted() == other.isTainted() && unavailableReason.equals(other.unavailableReason);
    }
  }

  /** A node that has only a name and a uid. */
  public static ClusterNode named(String name, String uid) {
    return new ClusterNode(
        name,
        uid,
        "",
        Optional.empty(),
        false,
        false,
        PodCidrs.NONE,
        "",
        false,
        OptionalInt.empty(),
        Optional.empty(),
        Map.of(),
        Scheduling.NONE);
  }

  /** Who owns what is allocated for it: its uid, or its name where the backend has no uid. */
  public String owner() {
    return uid.isEmpty() ? name : uid;
  }

  /** Whether it accepts no new pods: cordoned, or being deleted. */
  public boolean isClosed() {
    return unschedulable || beingDeleted;
  }

  /** Whether everything but the version and the taints of others is equal. */
  public boolean isSameAs(ClusterNode other) {
    return scheduling.isSameAs(other.scheduling)
        && withVersion(other.version)
            .with(draft -> draft.scheduling = other.scheduling)
            .equals(other);
  }

  public ClusterNode withUid(String changed) {
    return with(draft -> draft.uid = changed);
  }

  public ClusterNode withVersion(String changed) {
    return with(draft -> draft.version = changed);
  }

  public ClusterNode withCreated(Instant changed) {
    return with(draft -> draft.created = Optional.of(changed));
  }

  public ClusterNode withBeingDeleted() {
    return with(draft -> draft.beingDeleted = true);
  }

  public ClusterNode withPodCidrs(PodCidrs changed) {
    return with(draft -> draft.podCidrs = changed);
  }

  public ClusterNode withProviderId(String changed) {
    return with(draft -> draft.providerId = changed);
  }

  public ClusterNode withNetworkUnavailable(boolean changed) {
    return with(draft -> draft.networkUnavailable = Optional.of(changed));
  }

  /** With these annotations besides those that it has, or in their place. */
  public ClusterNode withAnnotations(Map<String, String> added) {
    Map<String, String> all = new HashMap<>(annotations);
    all.putAll(added);
    return with(draft -> draft.annotations = all);
  }

  private ClusterNode with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.node(this);
  }

  private static final class Draft {
    String uid;
    String version;
    Optional<Instant> created;
    boolean beingDeleted;
    PodCidrs podCidrs;
    String providerId;
    Optional<Boolean> networkUnavailable;
    Map<String, String> annotations;
    Scheduling scheduling;

    Draft(ClusterNode node) {
      uid = node.uid;
      version = node.version;
      created = node.created;
      beingDeleted = node.beingDeleted;
      podCidrs = node.podCidrs;
      providerId = node.providerId;
      networkUnavailable = node.networkUnavailable;
      annotations = node.annotations;
      scheduling = node.scheduling;
    }

    /** The node with these, and the rest as it is. */
    ClusterNode node(ClusterNode before) {
      return new ClusterNode(
          before.name,
          uid,
          version,
          created,
          beingDeleted,
          before.exempt,
          podCidrs,
          providerId,
          before.unschedulable,
          before.podsMax,
          networkUnavailable,
          annotations,
          scheduling);
    }
  }
}
