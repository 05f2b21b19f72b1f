package io.tidemark.datastore;

/**
 * How many addresses there are.
 *
 * @param total of all states; saturates
 * @param prefixes the blocks that are delegated prefixes
 * @param assigned those that sandboxes have
 * @param cooling released not long ago
 */
public record DatastoreStats(long total, int prefixes, int assigned, int cooling) {
  /** There are none. */
  public static final DatastoreStats NONE = new DatastoreStats(0, 0, 0, 0);

  /** Those that no sandbox has, as the AWS VPC CNI counts them: cooling ones included. */
  public long available() {
    return total - assigned;
  }

  /** Those that can be assigned now. */
  public long usable() {
    return total - assigned - cooling;
  }

  /** These and others together. */
  public DatastoreStats plus(DatastoreStats more) {
    long sum = total + more.total;
    return new DatastoreStats(
        sum < 0 ? Long.MAX_VALUE : sum,
        prefixes + more.prefixes,
        assigned + more.assigned,
        cooling + more.cooling);
  }

  DatastoreStats plus(PoolView.CidrView cidr) {
    int isPrefix = cidr.kind() == CidrKind.PREFIX ? 1 : 0;
    return plus(new DatastoreStats(cidr.size(), isPrefix, cidr.inUse(), cidr.cooling()));
  }

  /** For a log line. */
  @Override
  public String toString() {
    return "Total IPs/Prefixes = "
        + total
        + "/"
        + prefixes
        + ", AssignedIPs/CooldownIPs: "
        + assigned
        + "/"
        + cooling;
  }
}
