package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.Samples.pool;
import static io.tidemark.provider.aws.eni.Samples.slots;
import static io.tidemark.provider.aws.eni.Samples.spec;
import static io.tidemark.provider.aws.eni.Samples.subnet;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.provider.aws.ec2.Subnet;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The ladder of requests")
class PrefixDelegationTest {
  private static AddressPlan plan(int wanted, int blockSize) {
    return new AddressPlan(1000, wanted, OptionalInt.empty(), blockSize, 1);
  }

  private static List<String> text(List<Rung> ladder) {
    return ladder.stream()
        .map(
            each ->
                each.pool().id().text()
                    + (each.prefixes() > 0 ? "/p" + each.prefixes() : "/s" + each.singles()))
        .toList();
  }

  @DisplayName("2.2 what a creation asks for first")
  @ParameterizedTest(name = "{0}, prefixes {1}, {2} wanted: {3}")
  @CsvSource({
    "m5.large,  false,   8, s-1/s8",
    "m5.large,  false,  40, s-1/s9",
    "m5.large,  true,   40, s-1/p3",
    "m5.large,  true,  500, s-1/p9",
    "t3.micro,  false,   8, s-1/s1",
    "t3.micro,  true,    8, s-1/p1",
    "m8i.large, true,   30, s-1/p2",
  })
  void firstRung(String type, boolean prefixes, int wanted, String first) {
    SlotModel slots = slots(type, spec(0, false, Map.of()), prefixes);
    List<Rung> ladder =
        PrefixDelegation.onNewInterface(
            plan(wanted, prefixes ? 16 : 1), List.of(pool("s-1", 1000)), slots, prefixes, 0);
    assertThat(text(ladder)).startsWith(first);
  }

  @DisplayName("AWS-66 blocks of sixteen that so many addresses need")
  @ParameterizedTest(name = "AWS-66 {0} addresses: {1}")
  @CsvSource({"0, 0", "1, 1", "9, 1", "16, 1", "17, 2", "31, 2", "32, 2", "33, 3"})
  void blocks(int addresses, int blocks) {
    assertThat(plan(addresses, 16).blocks()).isEqualTo(blocks);
  }

  @Test
  @DisplayName("AWS-35 AWS-37 AWS-40 T4 prefixes in the best subnet and its siblings, then singles")
  void siblings() {
    SlotModel slots = slots("m5.large", spec(0, false, Map.of()), true);
    List<Rung> ladder =
        PrefixDelegation.onNewInterface(
            plan(20, 16), List.of(pool("a", 1000), pool("b", 500)), slots, true, 0);
    assertThat(text(ladder)).containsExactly("a/p2", "a/p1", "b/p2", "b/p1", "a/s9", "b/s9");

    SubnetPool fragmented = pool(subnet("a", "vpc-1", "a", 1000, Map.of()), true);
    assertThat(
            text(
                PrefixDelegation.onNewInterface(
                    plan(20, 16), List.of(fragmented, pool("b", 500)), slots, true, 0)))
        .containsExactly("b/p2", "b/p1", "a/s9", "b/s9");
    assertThat(
            text(PrefixDelegation.onNewInterface(plan(2, 16), List.of(fragmented), slots, true, 0)))
        .containsExactly("a/s2");
  }

  @Test
  @DisplayName("2.4 at most three siblings are tried")
  void siblingsMax() {
    SlotModel slots = slots("m5.large", spec(0, false, Map.of()), true);
    List<Rung> ladder =
        PrefixDelegation.onNewInterface(
            plan(1, 16),
            List.of(pool("a", 99), pool("b", 98), pool("c", 97), pool("d", 96), pool("e", 95)),
            slots,
            true,
            0);
    assertThat(text(ladder)).doesNotContain("e/p1", "e/s1").contains("d/p1");
  }

  @Test
  @DisplayName(
      "AWS-42 AWS-43 3.3 on an attached interface: prefixes, one prefix, singles, one single")
  void attached() {
    assertThat(text(PrefixDelegation.onInterface(plan(25, 16), pool("s-1", 200), 8)))
        .containsExactly("s-1/p2", "s-1/p1", "s-1/s8", "s-1/s1");
    assertThat(text(PrefixDelegation.onInterface(plan(2, 1), pool("s-1", 15), 8)))
        .containsExactly("s-1/s2", "s-1/s1");
  }

  @Test
  @DisplayName("AWS-85 without a free place nothing is asked")
  void clamp() {
    assertThat(PrefixDelegation.onInterface(plan(8, 1), pool("s-1", 200), 0)).isEmpty();
    assertThat(PrefixDelegation.onInterface(plan(8, 16), pool("s-1", 200), 0)).isEmpty();
    assertThat(PrefixDelegation.onInterface(plan(8, 1), pool("s-1", 0), 5)).isEmpty();
  }

  @DisplayName("what a creation asks for where its primary address counts for pods")
  @ParameterizedTest(name = "{0} wanted, at most {1}, prefixes {2}: {3}")
  @CsvSource({
    "20, 33, true,  s-1/p2 s-1/p1 s-1/s9",
    "20, 32, true,  s-1/p1 s-1/s9",
    "20, 16, true,  s-1/s9",
    "1,  1,  false, s-1/s0",
    "5,  3,  false, s-1/s2",
  })
  void primaryCounts(int wanted, int atMost, boolean prefixes, String ladder) {
    SlotModel slots = slots("m5.large", spec(0, true, Map.of()), prefixes);
    AddressPlan plan = new AddressPlan(1000, wanted, OptionalInt.of(atMost), prefixes ? 16 : 1, 1);
    assertThat(
            text(
                PrefixDelegation.onNewInterface(
                    plan, List.of(pool("s-1", 1000)), slots, prefixes, 0)))
        .containsExactly(ladder.split(" "));
  }

  @DisplayName(
      "an interface for an IPv6 prefix alone takes its primary address, where there is IPv6")
  @ParameterizedTest(name = "{0} IPv4 and {1} IPv6 prefixes wanted, IPv6 there {2}: {3}")
  @CsvSource({
    "0, 1, true,  6/s0",
    "0, 1, false, -",
    "0, 0, true,  -",
    "3, 1, true,  6/s3",
  })
  void forIpv6(int wanted, int ipv6Prefixes, boolean hasIpv6, String ladder) {
    SlotModel slots = slots("m5.large", spec(0, false, Map.of()), false);
    Subnet subnet =
        new Subnet(
            new PoolId("6"),
            "vpc-1",
            Cidr.parse("10.0.0.0/16"),
            hasIpv6 ? Optional.of(Cidr.parse("2001:db8::/64")) : Optional.empty(),
            true,
            "a",
            "",
            "",
            100,
            Map.of());
    List<Rung> rungs =
        PrefixDelegation.onNewInterface(
            plan(wanted, 1), List.of(pool(subnet, false)), slots, false, ipv6Prefixes);
    assertThat(rungs.isEmpty() ? List.of("-") : text(rungs)).containsExactly(ladder);
  }

  @DisplayName("singles leave the primary address its place in the subnet")
  @ParameterizedTest(name = "{0} free: {1}")
  @CsvSource({"1, -", "2, s-1/s1", "3, s-1/s2", "100, s-1/s8"})
  void roomForPrimary(int free, String ladder) {
    SlotModel slots = slots("m5.large", spec(0, false, Map.of()), false);
    List<Rung> rungs =
        PrefixDelegation.onNewInterface(plan(8, 1), List.of(pool("s-1", free)), slots, false, 0);
    assertThat(rungs.isEmpty() ? List.of("-") : text(rungs)).containsExactly(ladder);
  }

  @Test
  @DisplayName("each rung has its name in metrics and logs, and says how many addresses it brings")
  void labels() {
    SlotModel slots = slots("m5.large", spec(0, false, Map.of()), true);
    List<SubnetPool> pools = List.of(pool("a", 1000), pool("b", 500));
    assertThat(PrefixDelegation.onNewInterface(plan(20, 16), pools, slots, true, 0))
        .extracting(Rung::label)
        .containsExactly("prefixes", "onePrefix", "sibling", "sibling", "singles", "singles");
    assertThat(PrefixDelegation.onInterface(plan(25, 16), pool("a", 200), 8))
        .extracting(Rung::label)
        .containsExactly("prefixes", "onePrefix", "singles", "oneSingle");
    assertThat(PrefixDelegation.onInterface(plan(25, 16), pool("a", 200), 8))
        .extracting(Rung::addresses)
        .containsExactly(32, 16, 8, 1);
  }

  @Test
  @DisplayName("one address is asked for once")
  void onlyOne() {
    assertThat(text(PrefixDelegation.onInterface(plan(1, 1), pool("s-1", 200), 8)))
        .containsExactly("s-1/s1");
    assertThat(text(PrefixDelegation.onInterface(plan(16, 16), pool("s-1", 200), 8)))
        .containsExactly("s-1/p1", "s-1/s8", "s-1/s1");
  }
}
