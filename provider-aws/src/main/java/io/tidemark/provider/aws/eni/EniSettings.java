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
 * @param stickySingles the reference's: one interface with singles and no prefix ends prefixes for
 *     the node (3.10)
 * @param primaryCountsBlock the reference's: a usable primary address counts 16 in a node with
 *     prefixes (3.1)
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
    boolean stickySingles,
    boolean primaryCountsBlock,
    Duration horizon,
    Duration overlayExpiry,
    Duration collectionInterval,
    Scope scope,
    Options options) {

  private static final Duration COLLECTION_AGE_MIN = Duration.ofMinutes(5);

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
    return node.referenceCompatible()
        ? new EniSettings(
            tags,
            description,
            subnetIds,
            subnetTags,
            reservedInterfaces,
            securityGroupsMax,
            fastest,
            ipv6,
            true,
            true,
            true,
            horizon,
            overlayExpiry,
            collectionInterval,
            scope,
            options)
        : this;
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
  }

  /**
   * Optional behaviour of the provider, off by default.
   *
   * @param releaseInterfaces whether interfaces without addresses for pods are detached and deleted
   *     (3.4)
   * @param roleTags the tags of Amazon's own plugin choose subnets, too (2.3 S6)
   * @param manageForeign whether interfaces that we did not create serve pods (16)
   * @param reconcileGroups security groups of our interfaces follow the settings (16)
   * @param retireSubnets interfaces of ours get no more addresses, and are emptied, once their
   *     subnet is not selected any more (12)
   * @param copyTracking new interfaces remember idle connections as long as the instance's own (16)
   */
  public record Options(
      boolean releaseInterfaces,
      boolean roleTags,
      boolean manageForeign,
      boolean reconcileGroups,
      boolean retireSubnets,
      boolean copyTracking) {
    /** No optional behaviour. */
    public static final Options NONE = new Options(false, false, true, false, false, false);
  }
}
