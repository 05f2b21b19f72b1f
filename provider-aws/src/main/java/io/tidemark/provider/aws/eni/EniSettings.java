package io.tidemark.provider.aws.eni;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * What the cluster's settings say to this package.
 *
 * @param tags put on every interface we create, beside the owner's
 * @param description its prefix marks our interfaces
 * @param subnetIds when not empty, the only subnets where interfaces are created
 * @param subnetTags what those subnets must carry
 * @param reservedInterfaces places of card 0 that are left free
 * @param securityGroupsMax groups that an interface may have
 * @param fastest use the bucket that is least drained, at the price of more interfaces (M2)
 * @param ipv6 whether each node gets an IPv6 prefix
 * @param subnetFallback a constraint that matches nothing does not hold (2.3)
 * @param horizon how far a read may lie behind (M5)
 * @param collectionInterval how often what was left behind is looked for; zero for never
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
    Duration collectionInterval) {

  public EniSettings {
    tags = Map.copyOf(tags);
    subnetIds = Set.copyOf(subnetIds);
    subnetTags = Map.copyOf(subnetTags);
  }

  /**
   * Which of the reference's formulas are reproduced.
   *
   * @param sticky one interface with singles and no prefix ends prefixes for the node (3.10)
   * @param capacity a usable primary address counts 16 in a node with prefixes (3.1)
   */
  public record Parity(boolean sticky, boolean capacity) {
    Parity with(boolean all) {
      return all ? new Parity(true, true) : this;
    }
  }
}
