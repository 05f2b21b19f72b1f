package io.tidemark.nodeid;

import io.tidemark.config.SharedKey.Profile;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Ranges of tests, written as texts. */
public final class TestRanges {
  /** The defaults, with the interconnect of Contiv's deployment file. */
  public static final NodeIdRanges DEFAULTS =
      of("10.1.0.0/16 24", "172.30.0.0/16 24", "192.168.16.0/24", "192.168.30.0/24");

  /** Those of Contiv's own tests. */
  public static final NodeIdRanges OF_CONTIV =
      of("1.2.128.0/17 29", "2.3.192.0/18 30", "3.4.5.192/26", "4.5.6.192/26");

  /** The same in IPv6. */
  public static final NodeIdRanges IPV6 =
      of("fe10:f00d::/90 120", "fe30:f00d::/90 126", "fe10:f00d::/90", "fe20:f00d::/120");

  private TestRanges() {}

  /** Ranges of subnets as {@code CIDR PREFIX}; an interconnect of {@code -} is none. */
  public static NodeIdRanges of(String pods, String links, String interconnect, String overlay) {
    boolean ipv6 = pods.contains(":");
    return new NodeIdRanges(
        cidr(pods),
        prefix(pods),
        cidr(links),
        prefix(links),
        interconnect.equals("-") ? Optional.empty() : Optional.of(cidr(interconnect)),
        cidr(overlay),
        Cidr.parse(ipv6 ? "2096::/110" : "10.96.0.0/12"),
        List.of(),
        Profile.TIDEMARK);
  }

  /** The same ranges without these addresses. */
  public static NodeIdRanges excluding(NodeIdRanges ranges, String... excluded) {
    return with(ranges, Stream.of(excluded).map(IpAddress::parse).toList(), ranges.profile());
  }

  /** The same ranges as Contiv computes with them. */
  public static NodeIdRanges asReference(NodeIdRanges ranges) {
    return with(ranges, ranges.excluded(), Profile.REFERENCE);
  }

  private static NodeIdRanges with(NodeIdRanges ranges, List<IpAddress> excluded, Profile profile) {
    return new NodeIdRanges(
        ranges.pods(),
        ranges.podPrefix(),
        ranges.links(),
        ranges.linkPrefix(),
        ranges.interconnect(),
        ranges.overlay(),
        ranges.services(),
        excluded,
        profile);
  }

  private static Cidr cidr(String text) {
    return Cidr.parse(text.split(" ", -1)[0]);
  }

  private static int prefix(String text) {
    return Integer.parseInt(text.split(" ", -1)[1]);
  }
}
