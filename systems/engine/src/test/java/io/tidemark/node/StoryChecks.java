package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.Metric;
import io.tidemark.resource.HandshakeState;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.ReleaseAction;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;

/** The checks of a {@link NodeStory}. */
abstract class StoryChecks {
  static final String NAME = "node1";

  final NodeWorld world;
  final ScriptedNode node;

  /** The step that is told, for failures. */
  String now = "";

  /** Timers before the node was deleted. */
  int timers;

  /** The addresses before some were hidden or drained. */
  AddressSet old = AddressSet.of();

  StoryChecks(NodeWorld world) {
    this.world = world;
    this.node = world.provider.prepared(NAME);
  }

  /** Letters of CIDRs: 1 to 5 are addresses, B and C are blocks. */
  static String[] cidrs(String letters) {
    return letters
        .chars()
        .filter(each -> each != '-')
        .mapToObj(
            each ->
                each >= 'B'
                    ? "10.0.0." + 16 * (each - 'A') + "/28"
                    : "10.0.0." + (char) each + "/32")
        .toArray(String[]::new);
  }

  static AddressSet addresses(String letters) {
    return AddressSet.copyOf(
        Arrays.stream(cidrs(letters))
            .map(Cidr::parse)
            .filter(Cidr::isSingle)
            .map(Cidr::network)
            .toList());
  }

  final void holds(String... words) {
    switch (words[0]) {
      case "is" -> expect(world.availableUsed(NAME)).isEqualTo(words[1]);
      case "stands" -> {
        NodeReport report = world.report(NAME);
        String why = report.blocked().map(each -> " " + each.reason().name()).orElse("");
        expect(report.state() + why + " " + report.settled())
            .isEqualTo(String.join(" ", words).substring(7));
      }
      case "state" -> expect(world.report(NAME).state()).isEqualTo(words[1]);
      case "why" ->
          expect(world.blockedReason(NAME).map(BlockedReason::name).orElse("none"))
              .isEqualTo(words[1]);
      case "detail" ->
          expect(world.report(NAME).blocked().map(Blocked::detail).orElse(""))
              .contains(String.join(" ", words).substring(7));
      case "because" ->
          expect(world.report(NAME).blocked().map(Blocked::detail).orElse(""))
              .isEqualTo(String.join(" ", words).substring(8));
      case "told" ->
          expect(
                  world.told.stream()
                      .map(each -> each.replace(NAME + " ", ""))
                      .collect(Collectors.joining(", ")))
              .isEqualTo(words.length == 1 ? "" : String.join(" ", words).substring(5));
      case "owner" ->
          expect(world.metrics.all(Metric.SECOND_OWNER).keySet())
              .isEqualTo(words[1].equals("none") ? "[]" : "[" + NAME + " " + words[1] + "]");
      case "inStep" ->
          expect(world.resource(NAME).pool().addresses()).isEqualTo(node.singles().toString());
      case "kept" -> expect(world.resource(NAME).pool().contains(old.at(0))).isEqualTo("true");
      case "dropped" -> expect(world.resource(NAME).pool().contains(old.at(0))).isEqualTo("false");
      case "sent" -> {
        String[] range = words[1].split("-", -1);
        assertThat(world.takeRequests())
            .as(now)
            .hasSizeBetween(Integer.parseInt(range[0]), Integer.parseInt(range[1]))
            .allMatch(each -> each.equals(words[2] + " " + NAME));
      }
      case "ready" -> assertThat(world.manager.instancesApiIsReady()).as(now).isTrue();
      case "unready" -> assertThat(world.manager.instancesApiIsReady()).as(now).isFalse();
      case "settled" -> world.assertSettled(NAME);
      case "unsettled" -> world.assertUnsettled(NAME);
      case "unknown" -> assertThat(world.manager.report(NAME)).as(now).isEmpty();
      case "fewerTimers" -> assertThat(world.time.pending()).as(now).isLessThan(timers);
      case "cancelled" -> assertThat(node.lastContext().isCancelled()).as(now).isTrue();
      case "marks" ->
          expect(new TreeSet<>(world.resource(NAME).releaseIps().values()).toString())
              .isEqualTo(marks(words));
      case "pooled" ->
          expect(world.resource(NAME).pool().addresses()).isEqualTo(addresses(words[1]).toString());
      case "plannedFor" ->
          expect(Set.copyOf(node.cidrsAsked))
              .isEqualTo(Set.of(NodeWorld.cidrs(cidrs(words[1]))).toString());
      case "gave" -> {
        ReleaseAction last = node.released.get(node.released.size() - 1);
        Set<Cidr> given = new TreeSet<>(last.blocks());
        last.addresses().forEach(each -> given.add(Cidr.single(each)));
        expect(given).isEqualTo(NodeWorld.cidrs(cidrs(words[1])).toString());
      }
      case "metric" ->
          expect(world.metrics.all(Metric.valueOf(words[1])))
              .isEqualTo("{" + String.join(" ", words).substring(8 + words[1].length()) + "}");
      case "stuck" -> expect(world.metrics.value(Metric.NODES_STUCK, words[1])).isEqualTo("1.0");
      case "staticTags" -> expect(node.staticAsked).isEqualTo(words[1]);
      case "address" ->
          expect(world.resource(NAME).assignedStaticIp().orElse("none")).isEqualTo(words[1]);
      case "never" ->
          assertThat(world.takeRequests()).as(now).doesNotContain(words[1] + " " + NAME);
      case "requests" ->
          expect(
                  world.takeRequests().stream()
                      .map(each -> each.substring(0, each.indexOf(' ')))
                      .collect(Collectors.joining(" ")))
              .isEqualTo(words.length == 1 ? "" : String.join(" ", words).substring(9));
      default -> {
        String[] range = (words[1] + "-" + words[1]).split("-", -1);
        assertThat(count(words[0]))
            .as(now)
            .isBetween(Long.parseLong(range[0]), Long.parseLong(range[1]));
      }
    }
  }

  private static String marks(String... words) {
    return Arrays.stream(words)
        .skip(1)
        .map(each -> HandshakeState.ofWire(each).orElseThrow())
        .toList()
        .toString();
  }

  private AbstractStringAssert<?> expect(Object actual) {
    return Assertions.assertThat(String.valueOf(actual)).as(now);
  }

  private long count(String what) {
    return switch (what) {
      case "asked" -> node.allocated.size();
      case "wanted" -> node.allocated.get(node.allocated.size() - 1).ipv4().wanted();
      case "created" -> node.created.size();
      case "released" -> node.released.size();
      case "given" ->
          node.released.stream()
              .flatMap(each -> each.allAddresses().toList().stream())
              .distinct()
              .count();
      case "planned" -> node.cidrsAsked.size();
      case "scans" -> world.provider.count("resync");
      case "reads" -> world.provider.count("instanceSync");
      case "forgotten" -> world.provider.count("deleteInstance");
      case "singles" -> node.singles().size();
      case "blocks" -> node.blocks().size();
      case "used" -> world.report(NAME).used();
      case "preAllocate" -> world.resource(NAME).ipam().preAllocate();
      case "goneIps" -> world.metrics.all(Metric.USED_IPS_GONE).size();
      case "marked" -> (long) world.metrics.value(Metric.RELEASE_HANDSHAKE, "marked-for-release");
      case "statics" -> node.staticAsked.size();
      case "v6" -> node.ipv6Prefixes;
      case "excess" -> world.report(NAME).excess();
      case "gets" -> world.takeRequests().stream().filter(each -> each.startsWith("GET")).count();
      case "conflicts" -> (long) world.metrics.value(Metric.SYNC_CONFLICTS);
      case "pool" -> world.resource(NAME).pool().size();
      case "entries" -> world.resource(NAME).releaseIps().size();
      case "needed" -> world.report(NAME).needed();
      case "waiting" -> world.provider.calls.waiters().size();
      case "givenBack" -> world.provider.calls.givenBack();
      default -> throw new IllegalArgumentException(now);
    };
  }
}
