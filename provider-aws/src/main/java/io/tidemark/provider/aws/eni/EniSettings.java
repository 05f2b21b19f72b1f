package io.tidemark.provider.aws.eni;

import io.tidemark.spi.NodeSettings;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The settings of this package.
 *
 * @param tags of every interface that we create, in addition to the owner's
 * @param description its prefix marks our interfaces
 * @param subnetIds when not empty, the only subnets where interfaces are created
 * @param subnetTags what those subnets must carry
 * @param reservedInterfaces places of card 0 that stay free
 * @param securityGroupsMax groups that an interface may have
 * @param fastest use the bucket that is least drained, at the price of more interfaces (M2)
 * @param ipv6 whether each node gets an IPv6 prefix
 * @param subnetFallback a constraint that matches nothing does not hold (2.3)
 * @param horizon how far a read may lie behind (M5)
 * @param collectionInterval how often what was left behind is looked for; zero for never
 * @param scope whose instances and interfaces are ours
 * @param options what is done only when somebody asks for it
 */
public record EniSettings(
    Map<String, String> tags,
    String description,
    Set<String> subnetIds,
    Map<String, String> subnetTags,
    int reservedInterfaces,
    int securityGroupsMax,
    boolean fastest,
    boolean ipv6,
    boolean subnetFallback,
    Parity parity,
    Duration horizon,
    Duration overlayExpiry,
    Duration collectionInterval,
    Scope scope,
    EniOptions options) {

  private static final Duration COLLECTION_AGE_MIN = Duration.ofMinutes(5);

  public EniSettings {
    tags = Map.copyOf(tags);
    subnetIds = Set.copyOf(subnetIds);
    subnetTags = Map.copyOf(subnetTags);
  }

  /**
   * How long ago an interface that is attached to nothing was created, or first seen, before it is
   * collected (6, M9).
   */
  Duration collectionAge() {
    return collectionInterval.compareTo(COLLECTION_AGE_MIN) > 0
        ? collectionInterval
        : COLLECTION_AGE_MIN;
  }

  /** The settings of a node: in the reference's profile, its formulas (node-manager 13 D-21). */
  EniSettings in(NodeSettings node) {
    return node.referenceCompatible() ? with(true, new Parity(true, true), options) : this;
  }

  /** The same with other options. */
  public EniSettings with(EniOptions other) {
    return with(subnetFallback, parity, other);
  }

  private EniSettings with(boolean fallback, Parity otherParity, EniOptions otherOptions) {
    return new EniSettings(
        tags,
        description,
        subnetIds,
        subnetTags,
        reservedInterfaces,
        securityGroupsMax,
        fastest,
        ipv6,
        fallback,
        otherParity,
        horizon,
        overlayExpiry,
        collectionInterval,
        scope,
        otherOptions);
  }

  /**
   * Whose instances and interfaces are ours.
   *
   * @param clusterId sets clusters of one name apart; empty when there is none
   * @param instanceTags what instances must carry; empty for all
   * @param collectionTags what left-over interfaces must carry, instead of the owner's tags; empty
   *     for those
   * @param collectionsMax interfaces that one pass of the collection deletes; empty for no limit
   * @param trunks whether trunk interfaces serve pods
   * @param crossAccount whether VPC and subnets belong to another account than the instances
   */
  public record Scope(
      String clusterId,
      Map<String, String> instanceTags,
      Map<String, String> collectionTags,
      OptionalInt collectionsMax,
      boolean trunks,
      boolean crossAccount) {
    /** Everything of the owner's tags, no trunk. */
    public static final Scope USUAL =
        new Scope("", Map.of(), Map.of(), OptionalInt.empty(), false, false);

    public Scope {
      instanceTags = Map.copyOf(instanceTags);
      collectionTags = Map.copyOf(collectionTags);
    }
  }

  /**
   * Which of the reference's formulas are reproduced.
   *
   * @param sticky one interface with singles and no prefix ends prefixes for the node (3.10)
   * @param capacity a usable primary address counts 16 in a node with prefixes (3.1)
   */
  public record Parity(boolean sticky, boolean capacity) {}
}
