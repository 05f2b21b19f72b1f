package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.ConnectionTracking;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.resilience.CallContext;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.IpamSpec;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.EniSpecSample;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractStringAssert;
import org.jspecify.annotations.Nullable;

/**
 * A test over an {@link EniWorld} in words, as "node; grow 4; pass 9; interfaces 2": what happens
 * to nodes and in EC2, time that passes, and what must hold then. A step whose last word is "node2"
 * is about that node, others are about "node1"; "8x" before a step repeats it. Interfaces, subnets
 * and groups have names of the story's own; numbers after verbs of interfaces are device positions.
 */
class EniStory {
  private static final String HOME_BLOCK = "10.0.0.0/24";
  static final Duration HANDSHAKE = Duration.ofSeconds(30);

  EniWorld world;
  private final Map<String, NodeOperations> nodes = new HashMap<>();
  private final Map<String, List<String>> things = new HashMap<>();
  private final Map<String, String> blocks = new HashMap<>(Map.of("home", HOME_BLOCK));
  private final Map<String, String> attachments = new HashMap<>();
  private final Map<String, Integer> freeBefore = new HashMap<>();
  private List<String> sentBefore = List.of();
  private @Nullable AllocationAction planned;
  private CompletionStage<AllocationOutcome> creation = new CompletableFuture<>();
  private CompletionStage<SyncOutcome> lateRead = new CompletableFuture<>();

  /** The current step, for failure messages, and the node that it is about. */
  String now = "";

  private String name = "";

  EniStory(EniWorld world) {
    this.world = world;
  }

  /** Runs it to its end. */
  static EniStory run(EniWorld world, String what, String story) {
    return new EniStory(world).tell(what, story);
  }

  final EniStory tell(String what, String story) {
    for (String step : story.split(";", -1)) {
      now = what + ": " + step.strip() + " of: " + story;
      List<String> words = new ArrayList<>(List.of(step.strip().split(" +", -1)));
      String last = words.get(words.size() - 1);
      name = words.size() > 1 && last.matches("node\\d") ? last : "node1";
      words.removeIf(each -> words.size() > 1 && each.equals(name));
      int times = 1;
      if (words.get(0).matches("\\d+x")) {
        times = Integer.parseInt(words.remove(0).replace("x", ""));
      }
      for (int i = 0; i < times; i++) {
        step(words.get(0), words.subList(1, words.size()).toArray(String[]::new));
      }
    }
    return this;
  }

  private void step(String verb, String... words) {
    if (verb.matches("\\d+(ms|s|m|h)")) {
      world.run(duration(verb));
    } else if (!own(verb, words)
        && !cloud(verb, words)
        && !acts(verb, words)
        && !holds(verb, words)
        && !reports(verb, words)) {
      throw new IllegalArgumentException(now);
    }
  }

  /** Steps that one class of tests has for itself. */
  boolean own(String verb, String... words) {
    return false;
  }

  private static Duration duration(String text) {
    return text.startsWith("-")
        ? duration(text.substring(1)).negated()
        : Duration.parse(
            text.endsWith("ms")
                ? "PT" + Integer.parseInt(text.replace("ms", "")) / 1000.0 + "S"
                : "PT" + text);
  }

  static int number(String... words) {
    return words.length == 0 ? 1 : Integer.parseInt(words[0]);
  }

  private static String[] from(int first, String... words) {
    return Arrays.copyOfRange(words, Math.min(first, words.length), words.length);
  }

  /** Such as "owner=them,node=@node1", where "@" stands for the instance of a node. */
  private Map<String, String> tags(String... words) {
    Map<String, String> tags = new TreeMap<>();
    for (String each : words.length == 0 ? words : String.join(",", words).split(",", -1)) {
      String[] pair = each.split("=", 2);
      assertThat(pair).as(now).hasSize(2);
      tags.put(pair[0], pair[1].startsWith("@") ? world.instance(pair[1].substring(1)) : pair[1]);
    }
    return tags;
  }

  /** The record with a component at any depth that has this value. */
  final <T extends Record> T with(T record, String... pair) {
    String component = pair[0];
    String value = pair[1];
    return Copies.rebuilt(
        record,
        (each, old) -> {
          if (old instanceof Record part) {
            return with(part, pair);
          } else if (!each.equals(component)) {
            return old;
          } else if (old instanceof Boolean) {
            return Boolean.valueOf(value);
          } else if (old instanceof Integer) {
            return Integer.valueOf(value);
          } else if (old instanceof OptionalInt) {
            return OptionalInt.of(Integer.parseInt(value));
          } else if (old instanceof Duration) {
            return Duration.parse(value);
          }
          return old instanceof Map ? tags(value) : value;
        });
  }

  private void settings(String... words) {
    EniSettings settings = world.settings;
    for (String word : words) {
      String[] pair = (word.contains("=") ? word : word + "=true").split("=", 2);
      EniSettings before = settings;
      settings = with(settings, pair);
      assertThat(settings).as(now).isNotEqualTo(before);
    }
    world = new EniWorld(settings, world.edits);
  }

  /** Such as "m5.xlarge first=1 subnets=for=pods groups=for=pods excluding=owner=them primary". */
  private EniSpecSample spec(String... words) {
    String type =
        Stream.of(words).filter(each -> each.matches("\\w+\\.\\w+")).findFirst().orElse("m5.large");
    EniSpecSample spec = world.spec(type, world.home());
    for (String word : words) {
      String[] pair = word.split("=", 2);
      switch (pair[0]) {
        case "first" -> spec.firstIndex(OptionalInt.of(Integer.parseInt(pair[1])));
        case "subnets" -> spec.subnetTags(tags(pair[1]));
        case "groups" -> spec.groupTags(tags(pair[1]));
        case "excluding" -> spec.excludeTags(tags(pair[1]));
        case "primary" -> spec.usePrimary(true);
        default ->
            assertThat(word).as(now).matches(type + "|blocks|reference|releasing|static.*|\\d+/.*");
      }
    }
    return spec;
  }

  final String id(String thing) {
    return ids(thing).get(0);
  }

  private List<String> ids(String thing) {
    return thing.equals("home")
        ? List.of(world.home())
        : thing.startsWith("@")
            ? List.of(world.instance(thing.substring(1)))
            : Objects.requireNonNull(things.get(thing), now);
  }

  final void name(String thing, String id) {
    things.computeIfAbsent(thing, any -> new ArrayList<>()).add(id);
  }

  /** The node that the step is about. */
  final String name() {
    return name;
  }

  final NodeOperations node() {
    return Objects.requireNonNull(nodes.get(name), now);
  }

  final AwsNetworkInterface at(String position) {
    return world.interfaces(name).get(Integer.parseInt(position));
  }

  final AbstractStringAssert<?> expect(Object actual) {
    return assertThat(String.valueOf(actual)).as(now);
  }

  private void outcome(Object actual, String... expected) {
    for (String each : expected) {
      String kind = actual.getClass().getSimpleName();
      if (actual instanceof AllocationOutcome.Allocated made && each.matches("\\d+")) {
        expect(made.addresses()).isEqualTo(each);
      } else if (each.startsWith("!")) {
        expect(kind).isNotEqualTo(each.substring(1));
      } else {
        expect(kind).isEqualTo(each);
      }
    }
  }

  /** EC2, what others do there, and how requests end from now on. */
  private boolean cloud(String verb, String... words) {
    switch (verb) {
      case "launch" -> world.launch(name, words.length > 0 ? words[0] : "m5.large", world.home());
      case "forgets" -> world.launchForgetting(name, "m5.large", world.home(), number(words));
      case "stop" -> world.ec2.stop(world.instance(name));
      case "start" -> world.ec2.start(world.instance(name));
      case "terminate" -> world.ec2.terminate(world.instance(name));
      case "park" -> {
        boolean described = words.length > 1 && !words[1].contains("=");
        String description =
            described
                ? words[1].replace('_', ' ').replace("@node1", world.instance("node1"))
                : "theirs";
        name(
            words[0],
            world.ec2.parked(world.home(), description, tags(from(described ? 2 : 1, words))));
      }
      case "left" -> {
        boolean dated = words.length > 1 && !words[1].contains("=");
        name(
            words[0],
            world.leftOver(dated ? world.createdIn(duration(words[1])) : tags(from(1, words))));
      }
      case "attach" ->
          attachments.put(
              words[0], world.ec2.attach(id(words[0]), world.instance(name), number(words[1])));
      case "detach" -> world.ec2.detach(Objects.requireNonNull(attachments.get(words[0]), now));
      case "trunk" ->
          name(
              "trunk",
              world.ec2.attachOfType("trunk", world.home(), world.instance(name), number(words)));
      case "unattachedIs" -> things.put(words[0], world.ec2.unattachedIds());
      case "nameAt" -> things.put(words[1], List.of(at(words[0]).id().text()));
      case "mark" -> world.ec2.mark(id(words[0]), tags(words[1]));
      case "group" -> name(words[0], world.ec2.securityGroup(words[0], tags(words[1])));
      case "subnet" -> {
        blocks.put(words[0], words[1]);
        name(words[0], world.ec2.subnet(words[1]));
        world.ec2.mark(id(words[0]), tags(from(2, words)));
      }
      case "fragment" ->
          world.fragment(id(words[0]), Objects.requireNonNull(blocks.get(words[0]), now));
      case "leaveFree" ->
          world.leaveFree(
              id(words[0]), Objects.requireNonNull(blocks.get(words[0]), now), number(words[1]));
      case "single" -> world.ec2.single(world.instance(name), number(words));
      case "unassign" -> {
        IpAddress address = at(words[0]).singles().first().orElseThrow();
        world.ec2.unassign(world.instance(name), address);
      }
      case "address" -> name(words[0], world.ec2.publicAddress(tags(words[1])));
      case "public" ->
          name("public", world.ec2.publicAddressOf(world.instance(name), number(words)));
      case "lag" -> world.ec2.emulator().readsBehind(Optional.of(duration(words[0])));
      case "lose" -> world.lose(words[0], false);
      case "loseAnswer" -> world.lose(words[0], true);
      case "loseOnce" ->
          world.fateOnce(
              words[0],
              words[1].equals("answer")
                  ? EffectFate.answerLost(EniWorld.TRAVEL)
                  : EffectFate.requestLost());
      case "delay" -> world.delay(words[0], duration(words[1]));
      case "answer" -> world.answer();
      case "refuse" -> world.refuse(words[0], words[1], words.length > 2 ? number(words[2]) : 400);
      case "serve" -> world.faults();
      case "deny" -> world.ec2.emulator().deny("*", Set.of(words));
      case "permit" -> world.ec2.emulator().deny("*", Set.of());
      case "afresh" -> {
        world.requests.clear();
        sentBefore = List.of();
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  /** The provider, and who asks it. */
  private boolean acts(String verb, String... words) {
    List<String> all = List.of(words);
    switch (verb) {
      case "with" -> settings(words);
      case "cluster" -> world.cluster = words[0].equals("-") ? "" : words[0];
      case "restart" -> world = world.restarted();
      case "node" -> {
        EniSpec eni = spec(words).build();
        world.launchMissing(name, eni);
        nodes.put(name, world.node(name, eni, all.contains("blocks"), all.contains("reference")));
      }
      case "absent" -> world.create(world.absent(name));
      case "object" -> world.create(world.resource(name));
      case "engine" -> {
        world.start(EngineConfig.defaults());
        world.run(EniWorld.WHILE);
      }
      case "elsewhere" -> expect(world.elsewhere).isEqualTo(words[0]);
      case "join" ->
          nodes.put(
              name,
              world.provider.createNode(
                  new NodeSettings(name, false, true, false), world.resource(name)));
      case "create" -> {
        boolean limited = words.length > 1 && words[1].matches("\\d+s");
        CallContext context = limited ? world.context(duration(words[1])) : world.context();
        AllocationAction action = EniWorld.asking(node(), number(words));
        outcome(world.await(node().createInterface(action, context)), from(limited ? 2 : 1, words));
      }
      case "plan" -> planned = EniWorld.asking(node(), number(words));
      case "creates" -> {
        planned = words.length > 0 ? EniWorld.asking(node(), number(words)) : planned;
        creation = node().createInterface(Objects.requireNonNull(planned), world.context());
      }
      case "ends" -> outcome(world.await(creation), words);
      case "ended" -> outcome(creation.toCompletableFuture().getNow(null), words);
      case "unended" -> assertThat(creation.toCompletableFuture()).as(now).isNotDone();
      case "lateList" -> lateRead = world.lateList(number(words));
      case "stillLate" -> assertThat(lateRead.toCompletableFuture()).as(now).isNotDone();
      case "listEnds" -> outcome(world.await(lateRead), words);
      case "grow" -> world.grow(node(), number(words));
      case "allocate" -> outcome(world.allocate(node(), number(words)), from(1, words));
      case "empty" -> {
        ReleaseAction action = node().prepareIpRelease(100, AddressSet.of());
        assertThat(action.isEmpty()).as(now).isFalse();
        outcome(world.await(node().release(action, world.context())), "Released");
      }
      case "pass" -> world.pass(number(words));
      case "need" -> {
        for (int minute = 0; minute < number(words); minute++) {
          world.pass(1);
          node().prepareIpAllocation();
        }
      }
      case "resync" -> outcome(world.resync(), words);
      case "sync" -> outcome(world.sync(name), words);
      case "remember" -> {
        sentBefore = List.copyOf(world.requests);
        blocks.keySet().forEach(each -> freeBefore.put(each, world.ec2.freeAddresses(id(each))));
        things.put(
            "own",
            world.interfaces(name).stream()
                .findFirst()
                .map(AwsNetworkInterface::securityGroups)
                .orElse(List.of()));
      }
      case "run" -> {
        EngineConfig config =
            all.contains("blocks") ? EniWorld.delegating() : EngineConfig.defaults();
        world.running(
            all.contains("releasing") ? config.releasingAfter(HANDSHAKE) : config,
            spec(words),
            ipam(words));
      }
      case "use" -> world.use(name, number(words));
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Of "8/0/0/0 static=for=edge" watermarks and the tags of a static address. */
  private IpamSpec ipam(String... words) {
    int[] marks = Stream.of(words[0].split("/", -1)).mapToInt(Integer::parseInt).toArray();
    Map<String, String> tags =
        Stream.of(words)
            .filter(each -> each.startsWith("static="))
            .findFirst()
            .map(each -> tags(each.substring(7)))
            .orElse(Map.of());
    return new IpamSpec(marks[0], marks[1], marks[2], marks[3], tags, Optional.empty(), Set.of());
  }

  /** Checks of the provider and of EC2. */
  private boolean holds(String verb, String... words) {
    switch (verb) {
      case "interfaces" -> expect(world.interfaces(name).size()).isEqualTo(words[0]);
      case "unattached" -> expect(world.ec2.unattached()).isEqualTo(words[0]);
      case "attached" -> expect(world.attached(name)).isEqualTo(words[0]);
      case "singles" -> expect(at(words[0]).singles().size()).isEqualTo(words[1]);
      case "blocks" -> expect(at(words[0]).prefixes().size()).isEqualTo(words[1]);
      case "device" -> expect(attachment(words[0]).deviceIndex()).isEqualTo(words[1]);
      case "marked" -> expect(attachment(words[0]).deleteOnTermination()).isEqualTo(words[1]);
      case "in" -> expect(at(words[0]).subnet().text()).isEqualTo(id(words[1]));
      case "at" -> expect(at(words[0]).id().text()).isEqualTo(id(words[1]));
      case "groups" -> {
        List<String> groups = at(words[0]).securityGroups();
        if (words[1].startsWith("!")) {
          assertThat(groups).as(now).isNotEmpty().doesNotContain(id(words[1].substring(1)));
        } else {
          Stream<String> expected = Stream.of(from(1, words)).flatMap(each -> ids(each).stream());
          assertThat(groups).as(now).containsExactlyInAnyOrderElementsOf(expected.toList());
        }
      }
      case "tracking" -> {
        ConnectionTracking usual = ConnectionTracking.DEFAULT;
        assertThat(at(words[0]).tracking())
            .as(now)
            .isEqualTo(
                words[1].equals("default")
                    ? usual
                    : Copies.with(
                        usual, "tcpEstablishedSeconds", OptionalInt.of(number(words[1]))));
      }
      case "bound" ->
          assertThat(world.server.find(name).orElseThrow().assignedStaticIp())
              .as(now)
              .contains(id(words[0]));
      case "reaches" ->
          expect(at(words[0]).publicAddress().map(IpAddress::toString).orElse("-"))
              .isEqualTo(words[1].equals("-") ? "-" : id(words[1]));
      case "there", "gone" -> {
        for (String each : words) {
          assertThat(ids(each))
              .as(now)
              .isNotEmpty()
              .allMatch(id -> world.ec2.exists(id) == verb.equals("there"));
        }
      }
      case "free" -> {
        int before = Objects.requireNonNull(freeBefore.get(words[0]), now);
        int change = world.ec2.freeAddresses(id(words[0])) - before;
        expect(change).isEqualTo(words[1]);
      }
      case "hasFree" -> expect(world.ec2.freeAddresses(id(words[0]))).isEqualTo(words[1]);
      case "quota" -> {
        PoolId pool = new PoolId(id(words[0]));
        expect(Objects.requireNonNull(world.provider.poolQuota().get(pool), now).availableIps())
            .isEqualTo(String.valueOf(world.ec2.freeAddresses(pool.text())));
      }
      case "sent" -> expect(world.sent(words[0])).isEqualTo(words[1]);
      case "more" -> {
        long before = sentBefore.stream().filter(words[0]::equals).count();
        expect(world.sent(words[0]) - before).isEqualTo(words[1]);
      }
      case "asked" -> assertThat(world.requests).as(now).contains(words);
      case "never" -> assertThat(world.requests).as(now).doesNotContain(words);
      case "inOrder" -> assertThat(world.requests).as(now).containsSubsequence(words);
      case "lastly" -> assertThat(world.requests).as(now).endsWith(words);
      case "readsOnly" ->
          assertThat(world.requests.subList(sentBefore.size(), world.requests.size()))
              .as(now)
              .allMatch(each -> each.matches("(Describe|Get).*"));
      case "quiet" -> assertThat(world.requests).as(now).isEmpty();
      case "metric" -> {
        String[] pair = words[0].split(":", -1);
        String[] labels =
            Stream.of(from(1, pair))
                .map(each -> things.containsKey(each) ? id(each) : each)
                .toArray(String[]::new);
        double value = world.interfaceMetrics.value(Metric.valueOf(pair[0]), labels);
        expect(Double.isNaN(value) ? "none" : (long) value).isEqualTo(words[1]);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private AwsNetworkInterface.Attachment attachment(String position) {
    return at(position).attachment().orElseThrow();
  }

  /** Checks of the knowledge of a node, and of the engine. */
  private boolean reports(String verb, String... words) {
    switch (verb) {
      case "known" -> expect(EniWorld.known(node()).interfaces().size()).isEqualTo(words[0]);
      case "slots" -> expect(EniWorld.known(node()).statistics().emptySlots()).isEqualTo(words[0]);
      case "room" ->
          expect(EniWorld.known(node()).statistics().interfacesWithRoom()).isEqualTo(words[0]);
      case "capacity" ->
          expect(EniWorld.known(node()).statistics().capacityIpv4()).isEqualTo(words[0]);
      case "counted" ->
          expect(EniWorld.known(node()).statistics().interfaces()).isEqualTo(words[0]);
      case "knows" ->
          expect(EniWorld.known(node()).interfaces().get(number(words)).size()).isEqualTo(words[1]);
      case "knownAsThere" ->
          assertThat(EniWorld.known(node()).interfaces())
              .extracting(AttachedInterface::id)
              .as(now)
              .containsExactlyInAnyOrderElementsOf(
                  world.interfaces(name).stream().map(AwsNetworkInterface::id).toList());
      case "places" ->
          expect(node().prepareIpAllocation().emptyInterfaceSlots()).isEqualTo(words[0]);
      case "fills" -> position(node().prepareIpAllocation().onInterface(), words[0]);
      case "empties" ->
          position(node().prepareIpRelease(number(words), AddressSet.of()).onInterface(), words[1]);
      case "published" ->
          expect(
                  node()
                      .withProviderStatus(world.resource(name))
                      .eniStatus()
                      .orElseThrow()
                      .enis()
                      .containsKey(id(words[0])))
              .isEqualTo(words[1]);
      case "inventory" -> outcome(node().inventory(), words);
      case "untouchable" -> {
        Blocked reason = ((Inventory.Untouchable) node().inventory()).reason();
        assertThat(node().prepareIpAllocation().blocked()).as(now).contains(reason);
        expect(reason.reason().name()).isEqualTo(words[0]);
        expect(reason.detail()).contains(from(1, words));
      }
      case "delegated" -> expect(node().isPrefixDelegated()).isEqualTo(words[0]);
      case "is" -> expect(world.availableUsed(name)).isEqualTo(words[0]);
      case "needs" -> expect(world.report(name).needed()).isEqualTo(words[0]);
      case "excess" -> expect(world.report(name).excess()).isEqualTo(words[0]);
      case "uncounted" ->
          assertThat(world.metrics.all(Metric.ALLOCATION_DURATION).keySet())
              .as(now)
              .noneMatch(each -> each.startsWith(String.join(" ", words)));
      case "state" -> expect(world.report(name).state().name()).isEqualTo(words[0]);
      case "why" ->
          expect(world.report(name).blocked().map(each -> each.reason().name()).orElse("-"))
              .isEqualTo(words[0]);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void position(Optional<InterfaceId> actual, String expected) {
    expect(actual.map(InterfaceId::text).orElse("-"))
        .isEqualTo(expected.equals("-") ? "-" : at(expected).id().text());
  }
}
