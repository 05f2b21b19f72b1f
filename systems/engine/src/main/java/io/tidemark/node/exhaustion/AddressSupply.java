package io.tidemark.node.exhaustion;

import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.Optional;

/**
 * The addresses that a node has for its next pods.
 *
 * @param free addresses that its agent can give to pods and that no pod uses; negative when pods
 *     use more than there are
 * @param held addresses that its agent can give to pods, those in use included
 * @param wanted free addresses at which it counts as supplied, 1 or more
 * @param obstacle why it gets no more; empty while it may get some
 * @param certain whether the obstacle does not rest on what was read of the cloud: the cloud
 *     refused a request for lack of room, or pods use all that the node's own limit allows
 */
public record AddressSupply(
    int free, int held, int wanted, Optional<Blocked> obstacle, boolean certain) {
  /** The supply of a node whose agent asks for addresses by itself. */
  public static final AddressSupply AMPLE = new AddressSupply(1, 1, 1, Optional.empty(), false);

  /**
   * Whether a node that is blocked for this reason gets no address before something changes, and
   * nobody else gives it any.
   *
   * @param refused whether the cloud refused the node's last request for lack of room
   */
  public static boolean isObstacle(BlockedReason reason, boolean refused) {
    return switch (reason) {
      case OUT_OF_INTERFACES,
          NO_SUBNET,
          SUBNET_EXHAUSTED,
          SUBNET_FRAGMENTED,
          MAX_ALLOCATE,
          CLOUD_REFUSED,
          ADDRESS_LIMIT ->
          true;
      case BACKING_OFF, READING_BACK -> refused;
      case NO_INSTANCE_ID,
          OTHER_CLOUD,
          INSTANCE_MISSING,
          INSTANCE_NOT_RUNNING,
          INSTANCES_API_UNSTABLE,
          LIMITS_UNKNOWN,
          DUPLICATE_CLAIM,
          INVALID_RESOURCE,
          SECOND_OWNER,
          FOREIGN_INTERFACE,
          NOT_SELECTED,
          OFFER_NOT_TAKEN,
          USED_ADDRESS_GONE,
          INSTANCES_ELSEWHERE ->
          false;
    };
  }

  /**
   * Whether an obstacle of this reason can come from a refusal for lack of room; a lack of
   * configuration, such as a filter that matches no subnet, has nothing to do with one.
   */
  public static boolean followsRefusal(BlockedReason reason) {
    return reason.kind() != BlockedReason.Kind.CONFIGURATION;
  }

  /** Whether readings of the cloud that agree make an obstacle of this reason certain. */
  boolean isOfCapacity() {
    return obstacle.filter(why -> why.reason().kind() == BlockedReason.Kind.CAPACITY).isPresent();
  }
}
