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
  final NodeWorld world;

  /** The node that is told of. */
  String name = "node1";

  ScriptedNode node;

  /** The current step, for failure messages. */
  String now = "";

  /** Timers before the node was deleted. */
  int timers;

  /** The addresses before some were hidden or drained. */
  AddressSet old = AddressSet.of();

  StoryChecks(NodeWorld world) {
    this.world = world;
    this.node = world.provider.prepared(name);
  }

  /** Letters of CIDRs: 1 to 9 are addresses, B and C are blocks. */
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

  private AddressSet some(String letters) {
    AddressSet named = addresses(letters);
    assertThat(named).as("no address: %s", now).isNotEmpty();
    return named;
  }

  /** The words after the first. */
  static String rest(String... words) {
    return String.join(" ", Arrays.asList(words).subList(1, words.length));
  }

  final void holds(String... words) {
    switch (words[0]) {
      case "is" -> expect(world.availableUsed(name)).isEqualTo(words[1]);
      case "stands" -> {
        NodeReport report = world.report(name);
        String why = report.blocked().map(each -> " " + each.reason().name()).orElse("");
        expect(report.state() + why + " " + report.settled()).isEqualTo(rest(words));
      }
      case "state" -> expect(world.report(name).state()).isEqualTo(words[1]);
      case "why" ->
          expect(world.blockedReason(name).map(BlockedReason::name).orElse("none"))
              .isEqualTo(words[1]);
      case "detail" ->
          expect(world.report(name).blocked().map(Blocked::detail).orElse(""))
              .contains(rest(words));
      case "because" ->
          expect(world.report(name).blocked().map(Blocked::detail).orElse(""))
              .isEqualTo(rest(words));
      case "told" ->
          expect(
                  world.told.stream()
                      .map(each -> each.replace(name + " ", ""))
                      .collect(Collectors.joining(", ")))
              .isEqualTo(rest(words));
      case "owner" ->
          expect(world.metrics.all(Metric.SECOND_OWNER).keySet())
              .isEqualTo(words[1].equals("none") ? "[]" : "[" + name + " " + words[1] + "]");
      case "inStep" -> assertThat(pool()).as(now).isEqualTo(node.singles());
      case "inStepBut" ->
          assertThat(pool()).as(now).isEqualTo(node.singles().minus(addresses(words[1])));
      case "others" -> assertThat(pool()).as(now).isEqualTo(NodeWorld.FOREIGN);
      case "without" -> assertThat(pool().intersect(some(words[1]))).as(now).isEmpty();
      case "contains" -> assertThat(pool()).as(now).containsAll(some(words[1]));
      case "kept" ->
          assertThat(world.resource(name).pool().resource(old.at(0)))
              .as(now)
              .contains("eni-" + name);
      case "dropped" -> assertThat(pool()).as(now).doesNotContain(old.at(0));
      case "spared" -> {
        assertThat(node.singles()).as(now).containsAll(old);
        assertThat(node.released).as(now).noneMatch(each -> each.allAddresses().intersects(old));
      }
      case "says" -> assertThat(explained().lines()).as(now).contains(rest(words));
      case "tells" -> assertThat(explained()).as(now).contains(rest(words));
      case "hides" -> assertThat(explained()).as(now).doesNotContain(rest(words));
      case "log" -> expect(String.join(", ", world.provider.log)).isEqualTo(rest(words));
      case "names" -> expect(String.join(" ", world.manager.names())).isEqualTo(rest(words));
      case "sent" ->
          assertThat(world.takeRequests())
              .as(now)
              .hasSizeBetween((int) least(words[1]), (int) most(words[1]))
              .allMatch(each -> each.equals(words[2] + " " + name));
      case "ready" -> assertThat(world.manager.instancesApiIsReady()).as(now).isTrue();
      case "unready" -> assertThat(world.manager.instancesApiIsReady()).as(now).isFalse();
      case "settled" -> world.assertSettled(name);
      case "unsettled" -> world.assertUnsettled(name);
      case "unknown" -> assertThat(world.manager.report(name)).as(now).isEmpty();
      case "fewerTimers" -> assertThat(world.time.pending()).as(now).isLessThan(timers);
      case "cancelled" -> assertThat(node.lastContext().isCancelled()).as(now).isTrue();
      case "marks" ->
          expect(new TreeSet<>(world.resource(name).releaseIps().values()).toString())
              .isEqualTo(marks(words));
      case "pooled" -> assertThat(pool()).as(now).isEqualTo(addresses(words[1]));
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
              .isEqualTo("{" + rest(rest(words).split(" ", -1)) + "}");
      case "value" -> {
        String range = words[words.length - 1];
        double margin = range.matches("0|.*-.*") ? 0 : 0.5;
        String[] labels = Arrays.copyOfRange(words, 2, words.length - 1);
        assertThat(world.metrics.value(Metric.valueOf(words[1]), labels))
            .as(now)
            .isBetween(least(range) - margin, most(range) + margin);
      }
      case "staticTags" -> expect(node.staticAsked).isEqualTo(words[1]);
      case "address" ->
          expect(world.resource(name).assignedStaticIp().orElse("none")).isEqualTo(words[1]);
      case "never" ->
          assertThat(world.takeRequests()).as(now).doesNotContain(words[1] + " " + name);
      case "requests" ->
          expect(
                  world.takeRequests().stream()
                      .map(each -> each.substring(0, each.indexOf(' ')))
                      .collect(Collectors.joining(" ")))
              .isEqualTo(rest(words));
      default -> assertThat(count(words[0])).as(now).isBetween(least(words[1]), most(words[1]));
    }
  }

  /** Such as 2 of "2-5", or of "2". */
  private static long least(String range) {
    return Long.parseLong(range.replaceAll("-.*", ""));
  }

  private static long most(String range) {
    return Long.parseLong(range.replaceAll(".*-", ""));
  }

  private AddressSet pool() {
    return world.resource(name).pool().addresses();
  }

  /** The explanation, with one space between words. */
  private String explained() {
    return world.explain(name).toText().replaceAll(" +", " ").replaceAll("(?m)^ ", "");
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
      case "begun" -> world.provider.count("createNode " + name);
      case "available" -> world.report(name).available();
      case "nodes" -> world.manager.statistics().nodes();
      case "clusterHas" -> world.manager.statistics().available();
      case "timers" -> world.time.pending();
      case "visible" ->
          world.resource(name).eniStatus().orElseThrow().addressesByInterface().values().stream()
              .mapToInt(AddressSet::size)
              .sum();
      case "scans" -> world.provider.count("resync");
      case "reads" -> world.provider.count("instanceSync");
      case "forgotten" -> world.provider.count("deleteInstance");
      case "singles" -> node.singles().size();
      case "blocks" -> node.blocks().size();
      case "used" -> world.report(name).used();
      case "preAllocate" -> world.resource(name).ipam().preAllocate();
      case "goneIps" -> world.metrics.all(Metric.USED_IPS_GONE).size();
      case "marked" -> (long) world.metrics.value(Metric.RELEASE_HANDSHAKE, "marked-for-release");
      case "statics" -> node.staticAsked.size();
      case "v6" -> node.ipv6Prefixes;
      case "excess" -> world.report(name).excess();
      case "gets" -> world.takeRequests().stream().filter(each -> each.startsWith("GET")).count();
      case "conflicts" -> (long) world.metrics.value(Metric.SYNC_CONFLICTS);
      case "pool" -> world.resource(name).pool().size();
      case "entries" -> world.resource(name).releaseIps().size();
      case "needed" -> world.report(name).needed();
      case "waiting" -> world.provider.calls.waiters().size();
      case "givenBack" -> world.provider.calls.givenBack();
      default -> throw new IllegalArgumentException(now);
    };
  }
}
