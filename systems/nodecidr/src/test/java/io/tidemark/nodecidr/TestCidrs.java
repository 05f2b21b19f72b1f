package io.tidemark.nodecidr;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Exclusion;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Target;
import io.tidemark.nodecidr.ledger.NodeOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Ranges of tests, written as texts. */
public final class TestCidrs {
  private TestCidrs() {}

  /** A node where nothing gives uids. */
  public static NodeOwner named(String name) {
    return new NodeOwner(name, name);
  }

  /** Of Nodes; as {@link #of(String, Target)}. */
  public static ClusterCidrs of(String text) {
    return of(text, Target.NODE);
  }

  /**
   * Families such as {@code 10.0.0.0/24,26 fd00::/48,64}, each by its ranges and the length of its
   * blocks; {@code IPv6} is one of the cloud. After a minus sign a CIDR is excluded because of
   * services, or as in {@code -10.0.0.0/26=exclude-cidrs}.
   */
  public static ClusterCidrs of(String text, Target target) {
    List<FamilyRanges> families = new ArrayList<>();
    List<Exclusion> exclusions = new ArrayList<>();
    for (String each : text.split(" ", -1)) {
      if (each.startsWith("IPv")) {
        families.add(FamilyRanges.ofCloud(each.equals("IPv4") ? IpFamily.IPV4 : IpFamily.IPV6));
      } else if (each.startsWith("-")) {
        String[] parts = (each.substring(1) + "=services").split("=", -1);
        exclusions.add(new Exclusion(Cidr.parse(parts[0]), parts[1]));
      } else {
        int comma = each.lastIndexOf(',');
        List<Cidr> ranges =
            Stream.of(each.substring(0, comma).split(",", -1)).map(Cidr::parseLenient).toList();
        int length = Integer.parseInt(each.substring(comma + 1));
        families.add(new FamilyRanges(ranges.get(0).family(), length, ranges));
      }
    }
    return new ClusterCidrs(families, exclusions, target);
  }
}
