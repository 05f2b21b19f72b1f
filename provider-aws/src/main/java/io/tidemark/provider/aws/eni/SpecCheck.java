package io.tidemark.provider.aws.eni;

import io.tidemark.resource.EniSpec;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.List;
import java.util.Optional;

/**
 * Invalid values in a node's own section (provider-aws 17.2): it stops that node alone, with the
 * reason, before anything is asked of EC2. Pure.
 */
final class SpecCheck {
  private SpecCheck() {}

  /**
   * The first thing that is wrong.
   *
   * @param groupsMax security groups that an interface may have
   */
  static Optional<Blocked> blocked(EniSpec spec, int groupsMax) {
    if (spec.firstInterfaceIndex().orElse(0) < 0) {
      return wrong("first-interface-index", spec.firstInterfaceIndex().getAsInt(), "0 or more");
    }
    if (spec.securityGroups().stream().distinct().count() > groupsMax) {
      return wrong("security-groups", spec.securityGroups(), "at most " + groupsMax + " groups");
    }
    return ids("subnet-ids", spec.subnetIds(), "subnet-")
        .or(() -> ids("security-groups", spec.securityGroups(), "sg-"))
        .or(() -> id("node-subnet-id", spec.nodeSubnetId(), "subnet-"))
        .or(() -> id("vpc-id", spec.vpcId(), "vpc-"));
  }

  private static Optional<Blocked> id(String field, String id, String prefix) {
    return id.isEmpty() ? Optional.empty() : ids(field, List.of(id), prefix);
  }

  private static Optional<Blocked> ids(String field, List<String> ids, String prefix) {
    return ids.stream()
        .filter(id -> !id.startsWith(prefix))
        .findFirst()
        .flatMap(id -> wrong(field, "'" + id + "'", "an id that begins with " + prefix));
  }

  private static Optional<Blocked> wrong(String field, Object value, String expected) {
    return Optional.of(
        new Blocked(
            BlockedReason.INVALID_RESOURCE,
            "spec.eni." + field + " is " + value + "; expected " + expected));
  }
}
