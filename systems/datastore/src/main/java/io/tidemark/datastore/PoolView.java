package io.tidemark.datastore;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.List;

/**
 * The interfaces and addresses of one network card at one instant.
 *
 * @param mode what IPv4 addresses are assigned from; IPv6 addresses always from prefixes
 * @param enis in the order of their ids
 */
public record PoolView(CidrKind mode, List<EniView> enis) {
  /** An interface that was added here less long ago is not removed. */
  public static final Duration ENI_LIFETIME_MIN = Duration.ofSeconds(60);

  /**
   * An interface.
   *
   * @param excluded no sandbox gets an address of it
   * @param draining about to be removed
   * @param age since it was added here
   * @param cidrs in the order of their addresses
   */
  public record EniView(
      StoreEniSpec spec, boolean excluded, boolean draining, Duration age, List<CidrView> cidrs) {
    /** How many of its addresses sandboxes have, of both families. */
    public int inUse() {
      return cidrs.stream().mapToInt(CidrView::inUse).sum();
    }

    /** How many of its addresses cool, of both families. */
    public int cooling() {
      return cidrs.stream().mapToInt(CidrView::cooling).sum();
    }

    /** Whether the cloud can have it back, as far as the interface itself is concerned. */
    public boolean isRemovable() {
      return !spec.primary()
          && !spec.trunk()
          && !spec.efa()
          && !draining
          && age.compareTo(ENI_LIFETIME_MIN) >= 0
          && inUse() == 0
          && cooling() == 0;
    }
  }

  /**
   * A secondary address or prefix.
   *
   * @param size its addresses
   * @param inUse those that sandboxes have
   * @param cooling those that were released not long ago
   * @param returning about to be given back to the cloud
   */
  public record CidrView(
      Cidr cidr, CidrKind kind, long size, int inUse, int cooling, boolean returning) {
    /** Whether nothing of it is assigned or cools. */
    public boolean isWhole() {
      return inUse == 0 && cooling == 0 && !returning;
    }
  }

  /** The numbers of a family: those of interfaces that are not excluded, in the present mode. */
  public DatastoreStats stats(IpFamily family) {
    CidrKind wanted = family == IpFamily.IPV4 ? mode : CidrKind.PREFIX;
    DatastoreStats sum = DatastoreStats.NONE;
    for (EniView eni : enis) {
      if (eni.excluded() || eni.draining()) {
        continue;
      }
      for (CidrView cidr : eni.cidrs()) {
        if (cidr.kind() == wanted && cidr.cidr().family() == family && !cidr.returning()) {
          sum = sum.plus(cidr);
        }
      }
    }
    return sum;
  }
}
