package io.tidemark.nodecidr.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.TestCidrs;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The pod CIDRs that a node shows")
class NodePodCidrsTest {
  private static final Map<String, ClusterCidrs> CLUSTERS =
      Map.of(
          "4", TestCidrs.of("10.0.0.0/8,24"),
          "6", TestCidrs.of("fd00::/48,64"),
          "4 6", TestCidrs.of("10.0.0.0/8,24 fd00::/48,64"));

  @DisplayName("NC-AM39 are read leniently, and what is wrong with them is found")
  @ParameterizedTest(name = "{0} {1} of {2}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # podCIDR     | podCIDRs                     | families | read                       | findings
          -             | -                            | 4 6      | -                          | -
          10.0.0.0/24   | 10.0.0.0/24 fd00::/64        | 4 6      | 10.0.0.0/24 fd00::/64      | -
          10.0.0.0/24   | -                            | 4        | 10.0.0.0/24                | -
          -             | 010.000.1.7/24               | 4        | 10.0.1.0/24                | -
          -             | fd00::1/64                   | 6        | fd00::/64                  | -
          -             | 10.0.0.0/24 fd00::/64        | 4        | 10.0.0.0/24 fd00::/64      | TM-1413 podCIDRs[1] is fd00::/64, but no range of IPv6 is configured
          -             | fd00::/64 10.0.0.0/24        | 4 6      | fd00::/64 10.0.0.0/24      | TM-1406 podCIDRs[0] is fd00::/64; expected IPv4 at this place; TM-1406 podCIDRs[1] is 10.0.0.0/24; expected IPv6 at this place
          -             | 10.0.0.0/24 10.0.1.0/24      | 4 6      | 10.0.0.0/24 10.0.1.0/24    | TM-1406 podCIDRs[1] is 10.0.1.0/24; expected IPv6 at this place
          -             | 10.0.0.0/24 10.0.1.0/24      | 4        | 10.0.0.0/24 10.0.1.0/24    | TM-1406 podCIDRs[1] is 10.0.1.0/24, but a node has one CIDR
          -             | 10.0.0.0/24 fd00::/64 10.0.1.0/24 | 4 6 | 10.0.0.0/24 fd00::/64 10.0.1.0/24 | TM-1406 podCIDRs[2] is 10.0.1.0/24, but a node has 2 CIDRs
          -             | garbage 10.0.0.0/24          | 4        | 10.0.0.0/24                | TM-1405 "garbage" is not a CIDR block: it has no /length; TM-1406 podCIDRs[1] is 10.0.0.0/24, but a node has one CIDR
          -             | 10.10..0/24                  | 4        | -                          | TM-1405 "10.10..0/24" is not a CIDR block: in the address, unexpected '.' at position 6
          10.0.9.0/24   | 10.0.0.0/24                  | 4        | 10.0.9.0/24 10.0.0.0/24    | TM-1406 podCIDR is 10.0.9.0/24, but podCIDRs begins with 10.0.0.0/24
          -             | 10.0.0.0/24 10.0.0.0/24      | 4        | 10.0.0.0/24                | TM-1406 podCIDRs[1] is 10.0.0.0/24, but a node has one CIDR
          """)
  void read(String podCidr, String podCidrs, String families, String read, String findings) {
    ClusterCidrs cluster = Objects.requireNonNull(CLUSTERS.get(families));
    NodePodCidrs result = NodePodCidrs.read(cluster, text(podCidr), list(podCidrs));
    assertThat(result.cidrs()).extracting(Cidr::toString).isEqualTo(list(read));
    assertThat(
            result.findings().stream()
                .map(each -> each.code().label() + " " + each.detail())
                .collect(Collectors.joining("; ")))
        .isEqualTo(text(findings));
  }

  private static String text(String cell) {
    return cell == null ? "" : cell;
  }

  private static List<String> list(String cell) {
    return cell == null ? List.of() : List.of(cell.split(" "));
  }
}
