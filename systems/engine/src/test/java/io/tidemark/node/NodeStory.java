package io.tidemark.node;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.LastWriter;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.NodeSample;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A test in words, as "use 4; 1s; is 12/4": what pods, agent, cloud and API server do, time that
 * passes, and what must hold then. It is of "node1" until a step begins with another name, as in
 * "@other use 3". A count is of the whole story, but for requests, which count since they were
 * asked for last.
 */
final class NodeStory extends StoryChecks {
  private final Deque<CompletableFuture<SyncOutcome>> reads = new ArrayDeque<>();
  private final Map<String, CompletableFuture<AllocationOutcome>> calls = new HashMap<>();
  private final List<Meanwhile> meanwhile = new ArrayList<>();
  private Optional<NodeResource> deleted = Optional.empty();
  private long beforeLoss;

  /** Steps at the next request of one kind, and its answer when it is not served. */
  private record Meanwhile(String operation, String steps, Optional<StoreResult> answer) {}

  private NodeStory(NodeWorld world) {
    super(world);
  }

  /** Runs one that has a step "start", which starts the manager, or else one of a full node. */
  static void run(EngineConfig config, String what, String story) {
    boolean starts = List.of(story.strip().split(" *; *", -1)).contains("start");
    assertThat(starts).as(what).isEqualTo(story.contains("start"));
    run(starts ? NodeWorld.idle(config) : NodeWorld.filled(config), what, story);
  }

  /** Runs it to its end. */
  static void run(NodeWorld world, String what, String story) {
    NodeStory told = new NodeStory(world);
    for (String step : story.split(";", -1)) {
      told.tell(step.strip(), what + ": " + step.strip() + " of: " + story);
    }
    assertThat(told.meanwhile).as(what).isEmpty();
  }

  private void tell(String step, String where) {
    now = where;
    String[] words = step.split(" +", -1);
    if (words[0].startsWith("@")) {
      name = words[0].substring(1);
      node = world.provider.prepared(name);
      words = Arrays.copyOfRange(words, 1, words.length);
    }
    if (words[0].matches("\\d+(ms|s|m|h)")) {
      world.run(duration(words[0]));
    } else if (!acts(words) && !cloud(words)) {
      holds(words);
    }
  }

  /** Such as "UPDATE rival + use 3": two steps before the next request of that kind is served. */
  private void meanwhile(Optional<StoreResult> answer, String... words) {
    String steps = rest(Arrays.copyOfRange(words, 1, words.length));
    meanwhile.add(new Meanwhile(words[1], steps, answer));
    world.interfere(
        (operation, of) -> {
          Optional<Meanwhile> next =
              meanwhile.stream()
                  .filter(each -> operation.name().matches(each.operation()))
                  .findFirst();
          next.ifPresent(meanwhile::remove);
          next.ifPresent(
              each -> Stream.of(each.steps().split(" \\+ ", -1)).forEach(step -> tell(step, now)));
          return next.flatMap(Meanwhile::answer);
        });
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
      case "create" -> world.create(sample(words).build());
      case "becomes" -> world.edit(name, now -> now.withIpam(sample(words).build().ipam()));
      case "start" -> world.start();
      case "use" -> world.use(name, Integer.parseInt(words[1]));
      case "uses" -> world.use(name, addresses(words[1]));
      case "usesLast" -> {
        old = node.singles().last(Integer.parseInt(words[1]));
        world.use(name, old);
      }
      case "usesOld" -> world.use(name, old.first(Integer.parseInt(words[1])));
      case "wants" -> world.edit(name, now -> now.withIpam(ipam(words)));
      case "instance" -> world.edit(name, now -> now.withInstanceId(words[1]));
      case "puts", "putsLast" -> {
        AddressSet pool = world.resource(name).pool().addresses();
        IpAddress address = pool.at(words[0].equals("puts") ? 0 : pool.size() - 1);
        HandshakeState state = HandshakeState.ofWire(words[1]).orElseThrow();
        world.agentMarks(name, (now, states) -> states.put(address, state));
      }
      case "close" -> world.closed.add(name);
      case "open" -> world.closed.clear();
      case "sync" -> world.manager.requestInstanceSync(name);
      case "forbid" -> world.manager.setInstancesApiReadiness(false);
      case "allow" -> world.manager.setInstancesApiReadiness(true);
      case "acts" -> world.agentActs(name);
      case "cleans" -> world.agentMarks(name, NodeWorld::dropFinished);
      case "acknowledges" ->
          world.agentAnswers(
              name,
              HandshakeState.READY_FOR_RELEASE,
              words.length > 1 ? Integer.parseInt(words[1]) : Integer.MAX_VALUE);
      case "refuses" -> world.agentAnswers(name, HandshakeState.DO_NOT_RELEASE);
      case "holds" -> {
        String[] demand = words[1].split("/", -1);
        int min = demand.length > 1 ? Integer.parseInt(demand[1]) : 0;
        String[] held = words.length > 2 ? cidrs(words[2]) : new String[0];
        world.agentHolds(name, 1, min, Integer.parseInt(demand[0]), held);
      }
      case "delete" -> {
        timers = world.time.pending();
        deleted = world.server.find(name);
        world.server.delete(name);
      }
      case "again" -> world.create(deleted.orElseThrow());
      case "forget" -> world.manager.delete(name);
      case "stop" -> world.manager.close();
      case "touch" -> world.server.touch(name);
      case "resync" -> world.manager.resync();
      case "maintain" -> world.manager.requestMaintenance(name);
      case "pending" -> world.pendingPods.put(name, Integer.parseInt(words[1]));
      case "unaddressed" -> {
        int last = Integer.parseInt(words[2]);
        world.unaddressed.put(
            name,
            IntStream.rangeClosed(Integer.parseInt(words[1]), last)
                .mapToObj(pod -> "pod-" + pod)
                .collect(toSet()));
        world.manager.requestMaintenance(name);
      }
      case "lag" -> world.watchLag = duration(words[1]);
      case "slow" -> world.fate = EffectFate.answered(duration(words[1]), duration(words[1]));
      case "losesAnswers" -> world.fate = new EffectFate(0, 0, EffectFate.Loss.ANSWER);
      case "rival" -> {
        if (words.length > 1) {
          wrote(Optional.of(words[1]), false, LastWriter.NEVER);
        }
        world.rivalWritesPool(name);
      }
      case "pools" ->
          world.edit(
              name, now -> now.withPool(PodIpPool.of(Map.of("eni-" + name, addresses(words[1])))));
      case "predecessor" -> wrote(Optional.empty(), true, LastWriter.NEVER);
      case "meanwhile" -> meanwhile(Optional.empty(), words);
      case "collides" -> meanwhile(Optional.of(new StoreResult.Conflict()), words);
      case "ownWrite" -> wrote(Optional.empty(), false, Long.parseLong(words[1]));
      case "afresh" -> {
        world.takeRequests();
        world.told.clear();
        world.provider.log.clear();
      }
      case "hold" -> world.provider.calls.hold();
      case "grant" -> world.provider.calls.grantAll();
      case "usual" -> world.interfere(InMemoryNodeResourceStore.Interference.NONE);
      case "answers" -> answers(words);
      default -> {
        return false;
      }
    }
    return true;
  }

  /**
   * Such as "p=8 M=18 d=5/1 h=12 u=1 P=12 r=2 D=1 e=1 t=a": watermarks, demand, held, used, pool,
   * ready for release, released, shown in the status, tag; "i=-" is without an instance.
   */
  private NodeSample sample(String... words) {
    NodeSample sample = Samples.node(name);
    if (!Arrays.asList(words).contains("i=-")) {
      sample.instanceId("i-" + name);
    }
    for (String word : Arrays.asList(words).subList(1, words.length)) {
      String value = word.substring(2);
      switch (word.charAt(0)) {
        case 'p' -> sample.preAllocate(Integer.parseInt(value));
        case 'm' -> sample.minAllocate(Integer.parseInt(value));
        case 'M' -> sample.maxAllocate(Integer.parseInt(value));
        case 'w' -> sample.maxAboveWatermark(Integer.parseInt(value));
        case 'd' -> {
          String[] demand = (value + "/0").split("/", -1);
          sample.requested(Integer.parseInt(demand[0]), Integer.parseInt(demand[1]));
        }
        case 't' -> sample.staticIpTag("pool", value);
        case 'h' -> sample.allocated(cidrs(value));
        case 'u' -> sample.used(texts(value));
        case 'P' -> sample.pool("eni-" + name, texts(value));
        case 'r' -> sample.releaseIp(texts(value)[0], HandshakeState.READY_FOR_RELEASE);
        case 'D' -> sample.releaseIp(texts(value)[0], HandshakeState.RELEASED);
        case 'e' -> sample.eni(Samples.eni("eni-1", 1, texts(value)));
        case 'i' -> {}
        default -> throw new IllegalArgumentException(now);
      }
    }
    return sample;
  }

  private static String[] texts(String letters) {
    return addresses(letters).toList().stream().map(IpAddress::toString).toArray(String[]::new);
  }

  /** Such as "answers UPDATE_STATUS conflict 2": the next two, or all of them. */
  private void answers(String... words) {
    Supplier<StoreResult> answer =
        switch (words[2]) {
          case "conflict" -> StoreResult.Conflict::new;
          case "gone" -> StoreResult.NotFound::new;
          case "ignored" -> () -> new StoreResult.Stored(world.resource(name));
          case "refused" -> () -> new StoreResult.Refused("too long");
          case "failed" -> () -> new StoreResult.Failed("no route");
          default -> throw new IllegalArgumentException(now);
        };
    int[] left = {words.length > 3 ? Integer.parseInt(words[3]) : Integer.MAX_VALUE};
    world.interfere(
        (operation, of) ->
            operation.name().matches(words[1]) && left[0]-- > 0
                ? Optional.of(answer.get())
                : Optional.empty());
  }

  private void spare(String count) {
    AddressSet more = AddressSet.ofRange(Cidr.parse("10.16.6.0/28")).last(Integer.parseInt(count));
    node.attach(node.singles().plus(more), List.of());
  }

  private static IpamSpec ipam(String... words) {
    int[] marks = Arrays.stream(words).skip(1).mapToInt(Integer::parseInt).toArray();
    return IpamSpec.of(marks[0], marks[1], marks[2], marks[3]);
  }

  /** The cloud, now or at the next request. */
  private boolean cloud(String... words) {
    switch (words[0]) {
      case "attached" ->
          node.attach(
              addresses(words[1]),
              NodeWorld.cidrs(cidrs(words[1])).stream().filter(each -> !each.isSingle()).toList());
      case "adds" -> node.attach(node.singles().plus(addresses(words[1])), node.blocks());
      case "detached" -> node.attach(node.singles().minus(addresses(words[1])), node.blocks());
      case "refresh" -> node.refresh();
      case "horizon" -> world.provider.readHorizon = duration(words[1]);
      case "keepsOnly" -> node.attach(node.singles().last(Integer.parseInt(words[1])), List.of());
      case "spare" -> spare(words[1]);
      case "surplus" -> {
        spare(words[1]);
        world.manager.resync();
      }
      case "promises" -> node.promisesIpv6 = true;
      case "other" ->
          node.override =
              Optional.of(
                  new Inventory.Untouchable(new Blocked(BlockedReason.OTHER_CLOUD, "azure")));
      case "lacks" -> world.provider.capabilities.removeIf(each -> each.name().matches(words[1]));
      case "noStatic" ->
          node.staticAnswers.add(
              () ->
                  CompletableFuture.completedStage(
                      new AllocationOutcome.Refused(
                          Failure.of(Failure.Kind.CONFIGURATION, "scripted", "no such tag"))));
      case "losesRelease" ->
          node.nextRelease(
              () -> {
                node.lostTo(node.singles().minus(node.singles().last(Integer.parseInt(words[1]))));
                return new ReleaseOutcome.Unknown(Failure.of(Failure.Kind.LOST, "lost", "none"));
              });
      case "readShows" ->
          world.provider.instanceSyncs.add(
              () -> {
                node.refresh();
                return CompletableFuture.completedStage(
                    new SyncOutcome.Synced(world.provider.generation()));
              });
      case "drain" -> {
        old = node.singles();
        node.drain();
        world.manager.requestMaintenance(name);
      }
      case "remember" -> old = node.singles();
      case "hide" -> {
        old = node.singles();
        node.attach(old.minus(old.first(1)), List.of());
      }
      case "unhide" -> node.attach(old, List.of());
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
      case "refuse" -> {
        Optional<Duration> pause =
            words.length > 2 ? Optional.of(duration(words[2])) : Optional.empty();
        Failure why = new Failure(Failure.Kind.valueOf(words[1]), "scripted", "as told", pause);
        node.nextAllocation(() -> new AllocationOutcome.Refused(why));
      }
      case "stopped" -> node.nextAllocation(AllocationOutcome.InstanceNotRunning::new);
      case "limit" -> node.nextAllocation(() -> new AllocationOutcome.LimitReached("addresses"));
      case "exhausted" ->
          node.nextAllocation(() -> new AllocationOutcome.PoolExhausted(ScriptedProvider.GLOBAL));
      case "loses" -> {
        beforeLoss = world.provider.generation();
        node.nextAllocation(() -> node.lost(() -> node.attachSilently(Integer.parseInt(words[1]))));
      }
      case "scanFromBeforeLoss" ->
          world.provider.resyncs.add(
              () -> CompletableFuture.completedStage(new SyncOutcome.Synced(beforeLoss)));
      case "keeps" ->
          node.nextRelease(
              () ->
                  new ReleaseOutcome.NothingReleased(
                      Failure.of(Failure.Kind.TRANSIENT, "scripted", "no")));
      case "noScan" -> world.provider.failResync(Failure.Kind.valueOf(words[1]));
      case "noRead" -> world.provider.failInstanceSync(Failure.Kind.valueOf(words[1]));
      case "underWay" -> {
        Failure changing =
            Failure.of(
                Failure.Kind.TRANSIENT, SyncOutcome.Failed.OPERATION_UNDER_WAY, "being changed");
        for (int read = Integer.parseInt(words[1]); read > 0; read--) {
          world.provider.hangInstanceSync().complete(new SyncOutcome.Failed(changing));
        }
      }
      case "readSaysGone" ->
          world.provider.instanceSyncs.add(
              () -> CompletableFuture.completedStage(new SyncOutcome.InstanceNotFound()));
      case "readHangs" -> reads.add(world.provider.hangInstanceSync());
      case "readEnds" -> {
        node.refresh();
        reads.remove().complete(new SyncOutcome.Synced(world.provider.generation()));
      }
      case "callHangs" -> calls.put(name, node.hangAllocation());
      case "callFails" -> ends(new AllocationOutcome.PoolExhausted(ScriptedProvider.GLOBAL));
      case "callEnds" -> ends(node.grow(node.allocated.get(node.allocated.size() - 1).ipv4()));
      default -> {
        return false;
      }
    }
    return true;
  }

  private void ends(AllocationOutcome outcome) {
    Objects.requireNonNull(calls.get(name), name).complete(outcome);
  }

  private void wrote(Optional<String> other, boolean predecessor, long ownSeconds) {
    world.lastWrite(name, new LastWriter(other, predecessor, Optional.empty(), ownSeconds));
  }
}
