package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.IpamSpec;
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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * A test of "node1" in words, as "use 4; 1s; is 12/4": what pods, agent, cloud and API server do,
 * time that passes, and what must hold then. A count is of the whole story, but for requests, which
 * count since they were asked for last.
 */
final class NodeStory extends StoryChecks {
  private CompletableFuture<SyncOutcome> read = new CompletableFuture<>();
  private CompletableFuture<AllocationOutcome> call = new CompletableFuture<>();

  private NodeStory(NodeWorld world) {
    super(world);
  }

  /** Runs it to its end. */
  static void run(NodeWorld world, String what, String story) {
    NodeStory told = new NodeStory(world);
    for (String step : story.split(";", -1)) {
      told.now = what + ": " + step.strip() + " of: " + story;
      String[] words = step.strip().split(" +", -1);
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
      case "create" -> world.create(sample(words).build());
      case "becomes" -> world.edit(NAME, now -> now.withIpam(sample(words).build().ipam()));
      case "start" -> world.start();
      case "use" -> world.use(NAME, Integer.parseInt(words[1]));
      case "uses" -> world.use(NAME, addresses(words[1]));
      case "usesOld" -> world.use(NAME, old.first(Integer.parseInt(words[1])));
      case "wants" -> world.edit(NAME, now -> now.withIpam(ipam(words)));
      case "instance" -> world.edit(NAME, now -> now.withInstanceId(words[1]));
      case "puts" ->
          world.agentPuts(
              NAME,
              world.resource(NAME).pool().addresses().at(0),
              HandshakeState.ofWire(words[1]).orElseThrow());
      case "close" -> world.closed.add(NAME);
      case "open" -> world.closed.clear();
      case "sync" -> world.manager.requestInstanceSync(NAME);
      case "forbid" -> world.manager.setInstancesApiReadiness(false);
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
      case "losesAnswers" -> world.fate = new EffectFate(0, 0, EffectFate.Loss.ANSWER);
      case "rival" -> {
        if (words.length > 1) {
          world.rivalWritesPool(NAME, words[1]);
        } else {
          world.rivalWritesPool(NAME);
        }
      }
      case "ownWrite" -> world.ownWriteAt(NAME, Long.parseLong(words[1]));
      case "afresh" -> {
        world.takeRequests();
        world.told.clear();
        world.provider.log.clear();
      }
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

  /** Such as "p=8 M=18 d=5/1 h=12 u=1 t=a": watermarks, demand, held, used, tag. */
  private NodeSample sample(String... words) {
    NodeSample sample = Samples.node(NAME).instanceId("i-" + NAME);
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
        case 'u' ->
            sample.used(
                addresses(value).toList().stream().map(IpAddress::toString).toArray(String[]::new));
        default -> throw new IllegalArgumentException(now);
      }
    }
    return sample;
  }

  /** Such as "answers UPDATE_STATUS conflict 2": the next two, or all of them. */
  private void answers(String... words) {
    StoreResult answer =
        switch (words[2]) {
          case "conflict" -> new StoreResult.Conflict();
          case "gone" -> new StoreResult.NotFound();
          case "refused" -> new StoreResult.Refused("too long");
          default -> new StoreResult.Failed("no route");
        };
    int[] left = {words.length > 3 ? Integer.parseInt(words[3]) : Integer.MAX_VALUE};
    world.interfere(
        (operation, name) ->
            operation.name().matches(words[1]) && left[0]-- > 0
                ? Optional.of(answer)
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
        world.manager.requestMaintenance(NAME);
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
      case "readSaysGone" ->
          world.provider.instanceSyncs.add(
              () -> CompletableFuture.completedStage(new SyncOutcome.InstanceNotFound()));
      case "readHangs" -> read = world.provider.hangInstanceSync();
      case "readEnds" -> {
        node.refresh();
        read.complete(new SyncOutcome.Synced(world.provider.generation()));
      }
      case "callHangs" -> call = node.hangAllocation();
      case "callFails" ->
          call.complete(new AllocationOutcome.PoolExhausted(ScriptedProvider.GLOBAL));
      case "callEnds" ->
          call.complete(node.grow(node.allocated.get(node.allocated.size() - 1).ipv4()));
      default -> {
        return false;
      }
    }
    return true;
  }
}
