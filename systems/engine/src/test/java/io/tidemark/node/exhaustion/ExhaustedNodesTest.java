package io.tidemark.node.exhaustion;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A node that has no address for a pod and cannot get one is tainted")
class ExhaustedNodesTest {
  private static final long FOREVER = Duration.ofDays(1).toNanos();

  private final ToldScheduler scheduler = new ToldScheduler();
  private final List<Integer> gauge = new ArrayList<>();
  private List<ExhaustedNodes.Member> all = List.of();
  private final ExhaustedNodes nodes = new ExhaustedNodes(scheduler, gauge::add);

  private static long at(String second) {
    return Duration.ofSeconds(Long.parseLong(second)).toNanos();
  }

  /** Of 8 wanted addresses; S, N and C: subnet exhausted, no subnet, refused by the cloud. */
  private static AddressSupply supply(String free, String obstacle) {
    String[] parts = free.split("/", -1);
    Optional<BlockedReason> reason =
        switch (obstacle) {
          case "S", "C" -> Optional.of(BlockedReason.SUBNET_EXHAUSTED);
          case "N" -> Optional.of(BlockedReason.NO_SUBNET);
          default -> Optional.empty();
        };
    return new AddressSupply(
        Integer.parseInt(parts[0]),
        parts.length > 1 ? Integer.parseInt(parts[1]) : 8,
        8,
        reason.map(it -> new Blocked(it, "as the test wants")),
        obstacle.equals("C"));
  }

  @DisplayName("Each look: second, free addresses (of 8, or so many), obstacle, tainted")
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "after the delay and not before, 0 0 S - / 19 0 S - / 20 0 S T",
    "not with an address, 0 1 S - / 60 1 S -",
    "not where it may get one, 0 0 . - / 60 0 . -",
    "a try between does not count, 0 0 S - / 10 0 . - / 11 0 S - / 19 0 S - / 20 0 S T",
    "a long try begins anew, 0 0 S - / 10 0 . - / 40 0 S - / 59 0 S - / 60 0 S T",
    "an address begins anew, 0 0 S - / 10 1 S - / 11 0 S - / 30 0 S - / 31 0 S T",
    "gone with all that is wanted, 0 0 S - / 20 0 S T / 21 7 . T / 22 8 . -",
    "half after five minutes, 0 0 S - / 20 0 S T / 319 4 S T / 320 3 S T / 321 4 S -",
    "half of what it has, 0 0 S - / 20 0 S T / 319 2/3 S T / 320 1/3 S T / 321 2/3 S -",
    "half of none is none, 0 0/0 S - / 20 0/0 S T / 400 0/0 S T",
    "nothing while not trusted, 0 0 C - / 20 0 Cu - / 90 0 Cu - / 91 0 C T",
    "gone on facts all the same, 0 0 S - / 20 0 S T / 21 8 .u -",
    "stays while not trusted, 0 0 S - / 20 0 S T / 400 0 .u T",
    "the reason changes, 0 0 S - / 20 0 S T / 21 0 N T",
  })
  void looks(String name, String looks) {
    ExhaustedNodes.Member node = nodes.member("n1", "g").orElseThrow();
    nodes.member("n2", "g");
    nodes.scanned(FOREVER, any -> true);
    for (String look : looks.split(" / ", -1)) {
      String[] words = look.split(" ", -1);
      boolean ready = !words[2].endsWith("u");
      node.observe(supply(words[1], words[2].substring(0, 1)), at(words[0]), ready);
      assertThat(scheduler.isTainted("n1")).as(name + ": " + look).isEqualTo(words[3].equals("T"));
    }
  }

  @DisplayName("On readings alone a quarter of a group, on the word of the cloud all of it")
  @ParameterizedTest(name = "{0} nodes, obstacle {1}, scans meanwhile {2}: {3} tainted")
  @CsvSource({
    "1, S, 0, 0",
    "2, S, 0, 1",
    "3, S, 0, 1",
    "4, S, 0, 1",
    "7, S, 0, 1",
    "8, S, 0, 2",
    "100, N, 0, 25",
    "1, C, 0, 1",
    "8, C, 0, 8", // the cloud refused for lack of room
    "8, S, 2, 2",
    "8, S, 3, 8", // readings that agree; the first may have begun before
    "8, N, 9, 2", // never where a setting may be wrong
  })
  void quarter(int count, String obstacle, int scans, int tainted) {
    nodes.scanned(FOREVER, any -> true);
    all = members(count, "g");
    members(50, "other");
    all.forEach(each -> each.observe(supply("0", obstacle), at("0"), true));
    IntStream.range(0, scans).forEach(i -> nodes.scanned(FOREVER, any -> true));
    all.forEach(each -> each.observe(supply("0", obstacle), at("20"), true));
    all.forEach(each -> each.observe(supply("0", obstacle), at("40"), true));
    assertThat(scheduler.taints).hasSize(tainted);
    assertThat(gauge.get(gauge.size() - 1)).isEqualTo(tainted);
  }

  private List<ExhaustedNodes.Member> members(int count, String group) {
    return IntStream.range(0, count)
        .mapToObj(i -> nodes.member(group + i, group).orElseThrow())
        .toList();
  }

  @Test
  @DisplayName(
      "A look that finds no obstacle, such as one free address in a subnet, changes nothing")
  void oneLook() {
    quarter(8, "S", 3, 8);
    for (String obstacle : List.of(".", "S")) {
      all.forEach(each -> each.observe(supply("0", obstacle), at("60"), true));
      assertThat(scheduler.taints).hasSize(8);
    }
  }

  @DisplayName("A reason to wait is shown only until there is another one")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "BACKING_OFF SUBNET_EXHAUSTED, SUBNET_EXHAUSTED",
    "SUBNET_EXHAUSTED BACKING_OFF, SUBNET_EXHAUSTED",
    "BACKING_OFF BACKING_OFF READING_BACK SUBNET_EXHAUSTED BACKING_OFF,"
        + " BACKING_OFF SUBNET_EXHAUSTED",
    "SUBNET_EXHAUSTED SUBNET_EXHAUSTED BACKING_OFF NO_SUBNET, SUBNET_EXHAUSTED NO_SUBNET",
  })
  void reason(String looks, String told) {
    ExhaustedNodes.Member node = nodes.member("n1", "g").orElseThrow();
    nodes.scanned(FOREVER, any -> true);
    int second = 0;
    for (String reason : looks.split(" ", -1)) {
      Blocked why = new Blocked(BlockedReason.valueOf(reason), "as the test wants");
      AddressSupply none = new AddressSupply(0, 8, 8, Optional.of(why), true);
      node.observe(none, at(String.valueOf(second)), true);
      second += 20;
    }
    assertThat(scheduler.told)
        .containsExactlyElementsOf(Stream.of(told.split(" ", -1)).map("n1 "::concat).toList());
  }

  @Test
  @DisplayName(
      "A group that shrinks has no more than its quarter tainted, and room that is left is taken")
  void shrinks() {
    nodes.scanned(FOREVER, any -> true);
    all = members(8, "g");
    List<ExhaustedNodes.Member> short3 = all.subList(0, 3);
    for (String second : List.of("0", "20")) {
      short3.forEach(each -> each.observe(supply("0", "N"), at(second), true));
    }
    assertThat(scheduler.taints.keySet()).containsExactly("g0", "g1");
    all.subList(4, 8).forEach(ExhaustedNodes.Member::leave);
    short3.forEach(each -> each.observe(supply("0", "N"), at("30"), true));
    assertThat(scheduler.taints.keySet()).containsExactly("g1");
    all.get(1).observe(supply("8", "."), at("31"), true);
    short3.get(2).observe(supply("0", "N"), at("40"), true);
    assertThat(scheduler.taints.keySet()).containsExactly("g2");
  }

  @DisplayName("What an earlier operator left: its taint stays, and goes by the same facts")
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "served at once, 0 8 . -",
    "half when five minutes are seen, 0 4 . T / 299 4 . T / 300 4 . -",
    "this operator says so itself, 0 0 S T / 19 0 S T / 20 0 S T / 21 8 . -",
    "no longer short of anything but the spare, 0 3 . T / 30 3 . T",
  })
  void inherited(String name, String looks) {
    scheduler.taints.put("n1", "LEFT");
    looks(name, looks);
  }

  @Test
  @DisplayName("A whole group that was left tainted stays so until the readings could agree")
  void inheritedGroup() {
    all = members(8, "g");
    all.forEach(each -> scheduler.taints.put("g" + all.indexOf(each), "LEFT"));
    nodes.scanned(FOREVER, any -> true);
    all.forEach(each -> each.observe(supply("0", "N"), at("0"), true));
    all.forEach(each -> each.observe(supply("0", "N"), at("20"), true));
    assertThat(scheduler.taints).hasSize(8);
    IntStream.range(0, 3).forEach(i -> nodes.scanned(FOREVER, any -> true));
    all.forEach(each -> each.observe(supply("0", "N"), at("60"), true));
    assertThat(scheduler.taints).hasSize(2);
  }

  @Test
  @DisplayName("Taints of nodes that nobody decides about are removed, and all when it is off")
  void leftBehind() {
    scheduler.taints.put("n1", "LEFT");
    scheduler.taints.put("n2", "LEFT");
    nodes.scanned(FOREVER, "n1"::equals);
    assertThat(scheduler.taints.keySet()).containsExactly("n1");
    scheduler.delay = Optional.empty();
    assertThat(nodes.member("n1", "g")).isEmpty();
    nodes.scanned(FOREVER, "n1"::equals);
    assertThat(scheduler.taints).isEmpty();
  }

  @Test
  @DisplayName("Old readings are not trusted, and a look is due when the delay is over")
  void freshness() {
    ExhaustedNodes.Member node = nodes.member("n1", "g").orElseThrow();
    assertThat(node.observe(supply("0", "C"), at("0"), true)).isEqualTo(OptionalLong.of(at("20")));
    assertThat(node.observe(supply("0", "C"), at("20"), true)).isEmpty();
    assertThat(node.needsScans()).isTrue();
    assertThat(scheduler.taints).isEmpty();
    nodes.scanned(at("39"), any -> true);
    node.observe(supply("0", "C"), at("40"), true);
    assertThat(scheduler.taints).isEmpty();
    nodes.scanned(at("90"), any -> true);
    assertThat(node.observe(supply("0", "C"), at("60"), true))
        .isEqualTo(OptionalLong.of(at("360")));
    assertThat(scheduler.taints).containsOnlyKeys("n1");
    assertThat(node.taintedFor(at("61"))).contains(Duration.ofSeconds(1));
  }

  @Test
  @DisplayName("An end is counted once; the node's taint stays for who leads next")
  void leave() {
    ExhaustedNodes.Member node = nodes.member("n1", "g").orElseThrow();
    nodes.scanned(FOREVER, any -> true);
    node.observe(supply("0", "C"), at("0"), true);
    node.observe(supply("0", "C"), at("20"), true);
    node.leave();
    node.leave();
    assertThat(gauge).containsExactly(0, 1, 0);
    assertThat(scheduler.taints).containsOnlyKeys("n1");
    nodes.gone("n1");
    assertThat(scheduler.taints).isEmpty();
  }
}
