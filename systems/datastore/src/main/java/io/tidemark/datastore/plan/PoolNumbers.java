package io.tidemark.datastore.plan;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.DatastoreStats;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.ip.IpFamily;

/**
 * The IPv4 numbers of a card that its plan is made from.
 *
 * @param total addresses of all states
 * @param assigned those that sandboxes have
 * @param free those that can be assigned, as the profile counts them
 * @param prefixes delegated prefixes
 * @param freePrefixes those of which no address is in use, as the profile counts them
 */
record PoolNumbers(long total, int assigned, long free, long prefixes, long freePrefixes) {
  static final int PER_PREFIX = 16;

  static PoolNumbers of(PoolView view, Profile profile) {
    DatastoreStats stats = view.stats(IpFamily.IPV4);
    int freePrefixes = 0;
    int prefixes = 0;
    for (EniView eni : view.enis()) {
      for (CidrView cidr : eni.cidrs()) {
        if (cidr.kind() == CidrKind.PREFIX && cidr.cidr().family() == IpFamily.IPV4) {
          prefixes++;
          freePrefixes += isFree(eni, cidr, profile) ? 1 : 0;
        }
      }
    }
    return profile == Profile.UPSTREAM
        ? new PoolNumbers(
            stats.total(), stats.assigned(), stats.available(), prefixes, freePrefixes)
        : new PoolNumbers(
            stats.total(), stats.assigned(), stats.usable(), stats.prefixes(), freePrefixes);
  }

  /** The AWS VPC CNI counts prefixes of excluded interfaces, and such with addresses that cool. */
  private static boolean isFree(EniView eni, CidrView cidr, Profile profile) {
    return profile == Profile.UPSTREAM
        ? cidr.inUse() == 0
        : cidr.isWhole() && !eni.excluded() && !eni.draining();
  }

  /** These and what pods cannot use yet, as if they could. */
  PoolNumbers plus(Pending pending, Profile profile) {
    int cooling = profile == Profile.UPSTREAM ? 0 : pending.cooling();
    return new PoolNumbers(
        total + pending.addresses(),
        assigned,
        free + pending.addresses() + cooling,
        prefixes + pending.prefixes(),
        freePrefixes + pending.prefixes());
  }

  static int ceilDiv(long number, int by) {
    return (int) ((number + by - 1) / by);
  }
}
