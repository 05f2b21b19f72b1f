package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Metric;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.NodeSample;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;

/**
 * A test of "node1" in words, as "use 4; 1s; is 12/4": what pods, agent, cloud and API server do,
 * time that passes, and what must hold then. A count is of the whole story, but for requests, which
 * count since they were asked for last.
 */
final class NodeStory {
  private static final String NAME = "node1";

  private final NodeWorld world;
  private final ScriptedNode node;
  private CompletableFuture<SyncOutcome> read = new CompletableFuture<>();
  private CompletableFuture<AllocationOutcome> call = new CompletableFuture<>();
  private String now = "";
  private int timers;

  private NodeStory(NodeWorld world) {
    this.world = world;
    this.node = world.provider.prepared(NAME);
  }

  /** Runs it to its end. */
  static void run(NodeWorld world, String what, String story) {
    NodeStory told = new NodeStory(world);
    for (String step : story.split(";", -1)) {
      told.now = what + ": " + step.strip() + " of: " + story;
      String[] words = step.strip().split(" +");
      if (words[0].matches("\\d+(ms|s|m|h)")) {
        world.run(duration(words[0]));
      } else if (!told.acts(words) && !told.cloud(words)) {
        told.holds(words);
      }
    }
  }

  private static Duration duration(String text) {
    return Duration.parse(
        text.endsWith("ms")
            ? "PT" + Integer.parseInt(text.replace("ms", "")) / 1000.0 + "S"
            : "PT" + text);
  }

  /** Pods, agents, and who asks the manager. */
  private boolean acts(String... words) {
    switch (words[0]) {
      case "create" -> create(words);
      case "start" -> world.start();
      case "use" -> world.use(NAME, Integer.parseInt(words[1]));
      case "uses" -> world.use(NAME, addresses(words[1]));
      case "acts" -> world.agentActs(NAME);
      case "cleans" -> world.agentCleansUp(NAME);
      case "acknowledges" -> world.agentAnswers(NAME, HandshakeState.READY_FOR_RELEASE);
      case "refuses" -> world.agentAnswers(NAME, HandshakeState.DO_NOT_RELEASE);
      case "holds" -> {
        String[] demand = words[1].split("/", -1);
        int min = demand.length > 1 ? Integer.parseInt(demand[1]) : 0;
        String[] held = words.length > 2 ? cidrs(words[2]) : new String[0];
        world.agentHolds(NAME, 1, min, Integer.parseInt(demand[0]), held);
      }
      case "delete" -> {
        timers = world.time.pending();
        world.server.delete(NAME);
      }
      case "touch" -> world.server.touch(NAME);
      case "resync" -> world.manager.resync();
      case "maintain" -> world.manager.requestMaintenance(NAME);
      case "pending" -> world.pendingPods.put(NAME, Integer.parseInt(words[1]));
      case "lag" -> world.watchLag = duration(words[1]);
      case "slow" -> world.fate = EffectFate.answered(duration(words[1]), duration(words[1]));
      case "afresh" -> world.takeRequests();
      case "hold" -> world.provider.calls.hold();
      case "grant" -> world.provider.calls.grantAll();
      case "usual" -> world.answerAsUsual();
      case "answers" -> answers(words);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Such as "create p=8 M=18 d=5 h=12 u=1": watermarks, demand, CIDRs held, addresses used. */
  private void create(String... words) {
    NodeSample sample = Samples.node(NAME).instanceId("i-" + NAME);
    for (String word : Arrays.asList(words).subList(1, words.length)) {
      String value = word.substring(2);
      switch (word.charAt(0)) {
        case 'p' -> sample.preAllocate(Integer.parseInt(value));
        case 'm' -> sample.minAllocate(Integer.parseInt(value));
        case 'M' -> sample.maxAllocate(Integer.parseInt(value));
        case 'w' -> sample.maxAboveWatermark(Integer.parseInt(value));
        case 'd' -> sample.requested(Integer.parseInt(value), 0);
        case 'h' -> sample.allocated(cidrs(value));
        case 'u' ->
            sample.used(
                addresses(value).toList().stream().map(IpAddress::toString).toArray(String[]::new));
        default -> throw new IllegalArgumentException(now);
      }
    }
    world.create(sample.build());
  }

  /** Such as "answers UPDATE_STATUS conflict 2": the next two, or all of them. */
  private void answers(String... words) {
    StoreResult answer =
        switch (words[2]) {
          case "conflict" -> new StoreResult.Conflict();
          case "gone" -> new StoreResult.NotFound();
          default -> new StoreResult.Failed("no route");
        };
    int[] left = {words.length > 3 ? Integer.parseInt(words[3]) : Integer.MAX_VALUE};
    world.interfere(
        (operation, name) ->
            operation.name().matches(words[1]) && left[0]-- > 0
                ? Optional.of(answer)
                : Optional.empty());
  }

  /** Letters of CIDRs: 1 to 5 are addresses, B is a block. */
  static String[] cidrs(String letters) {
    return letters
        .chars()
        .filter(each -> each != '-')
        .mapToObj(each -> each == 'B' ? "10.0.0.16/28" : "10.0.0." + (char) each + "/32")
        .toArray(String[]::new);
  }

  private static AddressSet addresses(String letters) {
    return AddressSet.copyOf(
        Arrays.stream(cidrs(letters))
            .map(Cidr::parse)
            .filter(Cidr::isSingle)
            .map(Cidr::network)
            .toList());
  }

  /** The cloud, now or at the next request. */
  private boolean cloud(String... words) {
    switch (words[0]) {
      case "attached" ->
          node.attach(
              addresses(words[1]),
              words[1].contains("B") ? List.of(Cidr.parse(cidrs("B")[0])) : List.of());
      case "keepsOnly" -> node.attach(node.singles().last(Integer.parseInt(words[1])), List.of());
      case "surplus" -> {
        AddressSet spare = AddressSet.ofRange(Cidr.parse("10.16.6.0/28"));
        node.attach(node.singles().plus(spare.last(Integer.parseInt(words[1]))), List.of());
        world.manager.resync();
      }
      case "room" -> node.room = Integer.parseInt(words[1]);
      case "slots" -> node.slots = Integer.parseInt(words[1]);
      case "missing" -> node.override = Optional.of(new Inventory.InstanceMissing(false));
      case "vanished" -> node.override = Optional.of(new Inventory.InstanceMissing(true));
      case "shown" -> node.override = Optional.empty();
      case "limits" -> node.override = Optional.of(new Inventory.LimitsUnknown(words[1]));
      case "max" -> node.maximum = OptionalInt.of(Integer.parseInt(words[1]));
      case "inBlocks" -> {
        node.blockSize = 16;
        node.prefixDelegated = true;
      }
      case "blocked" ->
          node.blocked = Optional.of(new Blocked(BlockedReason.valueOf(words[1]), "scripted"));
      case "unblocked" -> node.blocked = Optional.empty();
      case "plansNothing" -> node.cidrPlan = Optional.of(List.of());
      case "plans" -> node.cidrPlan = Optional.empty();
      case "refuse" -> node.refuseAllocation(Failure.Kind.valueOf(words[1]));
      case "stopped" -> node.nextAllocation(AllocationOutcome.InstanceNotRunning::new);
      case "limit" -> node.nextAllocation(() -> new AllocationOutcome.LimitReached("addresses"));
      case "exhausted" ->
          node.nextAllocation(() -> new AllocationOutcome.PoolExhausted(ScriptedProvider.GLOBAL));
      case "loses" ->
          node.nextAllocation(
              () -> node.lost(() -> node.attachSilently(Integer.parseInt(words[1]))));
      case "keeps" ->
          node.nextRelease(
              () ->
                  new ReleaseOutcome.NothingReleased(
                      Failure.of(Failure.Kind.TRANSIENT, "scripted", "no")));
      case "noScan" -> world.provider.failResync(Failure.Kind.valueOf(words[1]));
      case "noRead" -> world.provider.failInstanceSync(Failure.Kind.valueOf(words[1]));
      case "readHangs" -> read = world.provider.hangInstanceSync();
      case "readEnds" -> {
        node.refresh();
        read.complete(new SyncOutcome.Synced(world.provider.generation()));
      }
      case "callHangs" -> call = node.hangAllocation();
      case "callEnds" ->
          call.complete(node.grow(node.allocated.get(node.allocated.size() - 1).ipv4()));
      default -> {
        return false;
      }
    }
    return true;
  }

  private void holds(String... words) {
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
      case "stuck" -> expect(world.metrics.value(Metric.NODES_STUCK, words[1])).isEqualTo("1.0");
      case "never" ->
          assertThat(world.takeRequests()).as(now).doesNotContain(words[1] + " " + NAME);
      case "requests" ->
          expect(
                  world.takeRequests().stream()
                      .map(each -> each.substring(0, each.indexOf(' ')))
                      .collect(Collectors.joining(" ")))
              .isEqualTo(words.length == 1 ? "" : String.join(" ", words).substring(9));
      default -> expect(count(words[0])).isEqualTo(words[1]);
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
