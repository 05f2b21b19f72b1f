package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Power;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.error.ErrorCode;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Tests in words, as "on; fault lose-answer write times=1; add 7; has 7; writes 1": what an
 * operator asks for a node, what Azure and others do, time that passes, and what must hold then. A
 * step that begins with "other" is one of another operator of the same machine. {@code seven:2} are
 * the first two of the addresses {@code seven}, {@code seven:-2} the last ones, {@code !} takes
 * some away and {@code +} adds some.
 */
final class AzureStory {
  private static final Pattern TIME = Pattern.compile("[0-9]+(s|m|h)");
  private static final Pattern ONLY = Pattern.compile("(UNIFORM|MACHINE): (.*)");
  private static final Pattern NUMBER = Pattern.compile("([+-]?)([0-9]+)");

  private final Form form;
  private AzureWorld world = new AzureWorld(ModelOptions.of(1));
  private AzureAllocation azure = world.allocation();
  private String machine;
  private boolean blocks;
  private final Map<String, OneNode> nodes = new HashMap<>();
  private final Map<String, CompletionStage<?>> pending = new HashMap<>();
  private final Map<String, AddressSet> sets = new HashMap<>();
  private final Map<String, ReleaseAction> plans = new HashMap<>();
  private final Map<String, Integer> marks = new HashMap<>();
  private final List<ArmFault> faults = new ArrayList<>();
  private Optional<NodeResource> published = Optional.empty();
  private Set<String> remembered = Set.of();
  private String now = "";

  private AzureStory(Form form) {
    this.form = form;
    this.machine = form.machine;
  }

  /**
   * Stories for both forms of machines, or for the one that the steps begin with.
   *
   * @param first steps of each of them
   * @param stories a title each, and lines of steps that are indented
   */
  static Stream<DynamicTest> all(String first, String stories) {
    return Stream.of(stories.split("\n(?! )", -1))
        .map(each -> each.split("\n", 2))
        .flatMap(
            each -> {
              String steps = each[1].replace('\n', ' ').strip();
              Matcher only = ONLY.matcher(steps);
              String own = only.matches() ? only.group(2) : steps;
              return Stream.of(Form.values())
                  .filter(form -> !only.matches() || only.group(1).equals(form.name()))
                  .map(
                      form ->
                          DynamicTest.dynamicTest(
                              each[0] + ", " + form, () -> new AzureStory(form).run(first + own)));
            });
  }

  private void run(String steps) {
    for (String step : steps.split("; *", -1)) {
      now = step + " of: " + steps;
      step(step.strip());
    }
  }

  private void step(String step) {
    String who = step.startsWith("other ") ? "other" : "node";
    String[] words = step.replaceFirst("^other ", "").split(" +", -1);
    if (TIME.matcher(words[0]).matches()) {
      world.pass(duration(words[0]));
    } else if (!makes(who, words) && !calls(who, words) && !befalls(words)) {
      holds(who, words);
    }
  }

  private static Duration duration(String text) {
    return Duration.parse("PT" + text);
  }

  private static String from(int word, String... words) {
    return Stream.of(words).skip(word).collect(Collectors.joining(" "));
  }

  private <T> T found(Map<String, T> all, String name) {
    return Objects.requireNonNull(all.get(name), now);
  }

  private OneNode node(String who) {
    return found(nodes, who);
  }

  private AddressSet set(String text) {
    AddressSet all = AddressSet.of();
    for (String each : text.split("(?=[+!])", -1)) {
      String[] part = each.replaceFirst("^[+!]", "").split(":", 2);
      AddressSet named = part[0].equals("none") ? AddressSet.of() : found(sets, part[0]);
      if (part.length == 2) {
        int count = Integer.parseInt(part[1]);
        named = count < 0 ? named.last(-count) : named.first(count);
      }
      all = each.startsWith("!") ? all.minus(named) : all.plus(named);
    }
    return all;
  }

  /** Worlds, nodes and names. */
  private boolean makes(String who, String... words) {
    AzureAllocation operator = who.equals("node") ? azure : world.allocation();
    switch (words[0]) {
      case "cloud" -> {
        String options = "seed: 1\nthrottling: false\nbehaviour: {" + from(1, words) + "}";
        world =
            new AzureWorld(
                ArmScenarioYaml.read("story", options).scenario().orElseThrow().options());
        azure = world.allocation();
      }
      case "settings" -> azure = world.allocation(AzureSettingsSample.of(words[1], words[2]));
      case "alwaysDue" -> azure = world.allocation(AzureSettingsSample.alwaysDue());
      case "inBlocks" -> blocks = true;
      case "on" ->
          nodes.put(
              who,
              blocks
                  ? OneNode.withBlocks(world, operator, machine)
                  : OneNode.on(world, operator, machine));
      case "singles" -> nodes.put(who, OneNode.on(world, world.allocation(), machine));
      case "unread" ->
          nodes.put(who, OneNode.unread(world, operator, world.resource(machine), blocks));
      case "restart" ->
          nodes.put(who, OneNode.unread(world, world.allocation(), left(who, words), blocks));
      case "primary" ->
          sets.put(words[1], AddressSet.of(node(who).shown().get(0).ip().orElseThrow()));
      case "publish" ->
          published = Optional.of(node(who).node.withProviderStatus(world.resource(machine)));
      case "remember" -> remembered = world.addresses(form.target);
      case "name" -> sets.put(words[1], node(who).addresses());
      case "mark" -> marks.put(words[1], number(who, words[1]));
      case "subnet" -> land().addSubnet(words[1], from(2, words).split(" ", -1));
      case "machine" -> machine = land().addMachine(words[1], words[2]);
      case "interface" ->
          land().addInterface(words[1], machine, Landscape.configuration("primary", words[2]));
      case "set" -> land().addSet(words[1], words[2], from(3, words).split(" ", -1));
      case "instance" -> machine = land().addInstance(words[1], Integer.parseInt(words[2]));
      default -> {
        return false;
      }
    }
    return true;
  }

  private Landscape land() {
    return new Landscape(world);
  }

  /** The resource that an operator leaves: with its status, or what it has promised to release. */
  private NodeResource left(String who, String... words) {
    NodeResource resource = world.resource(machine);
    for (int i = 1; i < words.length; i++) {
      if (words[i].equals("published")) {
        resource = published.orElse(node(who).node.withProviderStatus(resource));
      } else {
        Map<IpAddress, HandshakeState> promised = new TreeMap<>();
        set(words[i]).forEach(each -> promised.put(each, HandshakeState.READY_FOR_RELEASE));
        resource = resource.withReleaseIps(promised);
      }
    }
    return resource;
  }

  /** Calls of an operator. */
  private boolean calls(String who, String... words) {
    switch (words[0]) {
      case "add" -> {
        List<String> all = List.of(words);
        AddressSet added = node(who).added(Integer.parseInt(words[1]));
        int gets = all.indexOf("gets");
        assertThat(added.size())
            .as(now)
            .isEqualTo(Integer.parseInt(words[gets < 0 ? 1 : gets + 1]));
        if (all.contains("as")) {
          sets.put(words[words.length - 1], added);
        }
      }
      case "allocate" -> ends(node(who).allocate(Integer.parseInt(words[1])), 2, words);
      case "within" -> {
        AllocationOutcome outcome =
            world.await(node(who).begin(Integer.parseInt(words[2]), duration(words[1])));
        ends(outcome, 3, words);
      }
      case "begin" ->
          pending.put(who, node(who).begin(Integer.parseInt(words[1]), Duration.ofMinutes(5)));
      case "ends" -> ends(world.await(found(pending, who)), 1, words);
      case "sync" -> ends(node(who).sync(), 1, words);
      case "resync" -> ends(world.await(azure.resync(world.context())), 1, words);
      case "resyncOlder" -> {
        long known = node(who).known().generation();
        SyncOutcome.Synced outcome = (SyncOutcome.Synced) node(who).resync();
        assertThat(outcome.startedGeneration()).as(now).isLessThan(known);
      }
      case "release" -> ends(node(who).release(cidrs(who, words[1])), 2, words);
      case "plan" -> plans.put(who, node(who).node.prepareCidrRelease(cidrs(who, words[1])).get(0));
      case "planUnused" -> {
        int count = Integer.parseInt(words[1]);
        plans.put(who, node(who).node.prepareIpRelease(count, set(words[2])));
      }
      case "carryOut" -> ends(world.await(carriedOut(who)), 1, words);
      case "carryOutMeanwhile" -> pending.put(who, carriedOut(who));
      case "force" -> ends(world.await(forced(who, set(words[1]))), 2, words);
      case "times" -> {
        for (int i = Integer.parseInt(words[1]); i > 0; i--) {
          Stream.of(from(2, words).split(" / ", -1)).forEach(this::step);
        }
      }
      case "remove" -> azure.deleteInstance(world.id(machine));
      default -> {
        return false;
      }
    }
    return true;
  }

  private CompletionStage<ReleaseOutcome> carriedOut(String who) {
    return node(who).node.release(found(plans, who), world.context());
  }

  /** A release that the provider would not plan. */
  private CompletionStage<ReleaseOutcome> forced(String who, AddressSet singles) {
    OneNode node = node(who);
    InterfaceId nic = node.known().interfaces().get(0).id();
    PoolId pool = node.azure.poolQuota().keySet().iterator().next();
    ReleaseAction proper = node.node.prepareIpRelease(1_000, AddressSet.of());
    return node.node.release(
        new ReleaseAction(
            Optional.of(nic), Optional.of(pool), singles, List.of(), proper.firstCall()),
        world.context());
  }

  /** Of addresses, or of the blocks of the node: the first, or the one at a number. */
  private Set<Cidr> cidrs(String who, String text) {
    if (!text.startsWith("block")) {
      return OneNode.singles(set(text));
    }
    return Set.of(node(who).blocks().get(Integer.parseInt(text.substring(5))));
  }

  /** An outcome, with kind, condition or a part of the detail of its failure; "?" is any. */
  private void ends(Object outcome, int word, String... words) {
    if (word == words.length) {
      assertThat(outcome)
          .as(now)
          .isInstanceOfAny(
              AllocationOutcome.Allocated.class,
              ReleaseOutcome.Released.class,
              SyncOutcome.Synced.class);
      return;
    }
    String name = outcome.getClass().getSimpleName();
    assertThat(words[word])
        .as("%s: %s", now, outcome)
        .matches("[?]|" + name + "|!(?!" + name + ")\\w+");
    for (String each : List.of(words).subList(word + 1, words.length)) {
      Failure failure = failure(outcome);
      assertThat(
              each.equals(failure.kind().name())
                  || each.equals(failure.condition())
                  || failure.detail().contains(each))
          .as("%s: %s", now, failure)
          .isTrue();
    }
  }

  private static Failure failure(Object outcome) {
    if (outcome instanceof AllocationOutcome.Refused refused) {
      return refused.failure();
    } else if (outcome instanceof ReleaseOutcome.NothingReleased nothing) {
      return nothing.failure();
    }
    return OneNode.failure((SyncOutcome) outcome);
  }

  /** Azure, the way to it and others. */
  private boolean befalls(String... words) {
    switch (words[0]) {
      case "fault" -> {
        faults.add(fault(words));
        world.azure.faults(faults.toArray(ArmFault[]::new));
      }
      case "noFault" -> {
        faults.clear();
        world.azure.faults();
      }
      case "keep" -> world.way.keepNextWrite();
      case "deliver" ->
          assertThat(world.way.deliverKept())
              .as(now)
              .singleElement()
              .satisfies(status -> assertThat(status.toString()).matches(words[1]));
      case "before" -> world.way.beforeNextWrite(() -> step(from(1, words)));
      case "answers" -> world.way.rewriting(answers(words));
      case "header" -> world.way.answering(words[1], words[2]);
      case "upgrade" -> world.azure.change(owner -> owner.upgradeToModel(machine));
      case "power" -> world.azure.change(owner -> owner.setPower(machine, Power.valueOf(words[1])));
      case "markForDeletion" -> world.azure.change(owner -> owner.markForDeletion(machine));
      case "delete" -> world.azure.change(owner -> owner.delete(machine));
      case "detach" -> world.azure.change(owner -> owner.detach(Landscape.nic(words[1])));
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Such as "fault fail write times=1": the words of a scenario's fault. */
  private ArmFault fault(String... words) {
    Map<String, String> fields = new HashMap<>(Map.of("kind", words[1]));
    fields.put("operation", words[2].equals("write") ? form.put : words[2]);
    for (String each : List.of(words).subList(3, words.length)) {
      String[] pair = each.split("=", 2);
      fields.put(pair[0], pair[1]);
    }
    String because = fields.remove("because");
    ArmFault fault = ArmScenarioYaml.fault(fields);
    return because == null ? fault : fault.withError(fault.error().because(because, "x"));
  }

  /**
   * How answers are changed: by a name, or "pattern => replacement" in those that contain a text.
   */
  private UnaryOperator<String> answers(String... words) {
    String text = from(1, words);
    return switch (text) {
      case "asTheyAre" -> UnaryOperator.identity();
      case "hidingOurs" ->
          body ->
              inLists(body, all -> all.replaceAll("\"name\":\"Tidemark-", "\"name\":\"hidden-"));
      case "lackingTheLast" -> body -> inLists(body, AzureStory::lackingTheLast);
      case "asBefore" -> frozen();
      case "emptied" ->
          body ->
              body.replaceAll("\\{\"name\":\"Tidemark-", "{\"gone\":\"")
                  .replaceAll("\"privateIPAddress\":\"[^\"]*\"", "\"privateIPAddress\":\"\"");
      default -> {
        String[] where = text.split(" in ", 2);
        String[] pair = where[where.length - 1].split(" => ", 2);
        yield body ->
            where.length == 1 || body.contains(where[0]) ? body.replaceAll(pair[0], pair[1]) : body;
      }
    };
  }

  private static String inLists(String body, UnaryOperator<String> change) {
    return body.contains("\"virtualMachine\"") ? change.apply(body) : body;
  }

  /** A list of interfaces without the last configuration of each. */
  private static String lackingTheLast(String body) {
    return DocumentJson.read(body)
        .map(
            list ->
                list.with(
                    "value", list.objects("value").stream().map(AzureStory::lacking).toList()))
        .map(DocumentJson::print)
        .orElse(body);
  }

  private static Document lacking(Document networkInterface) {
    List<Document> all = networkInterface.object("properties").objects("ipConfigurations");
    List<Document> some = all.subList(0, Math.max(1, all.size() - 1));
    return networkInterface.withProperty("ipConfigurations", some);
  }

  /** The first answer with addresses, over and over. */
  private static UnaryOperator<String> frozen() {
    List<String> first = new ArrayList<>();
    return body -> {
      if (!body.contains("\"privateIPAddress\"")) {
        return body;
      }
      first.add(body);
      return first.get(0);
    };
  }

  /** What must hold: a number, which may count from its mark, or a text. */
  private void holds(String who, String... words) {
    Matcher expected = NUMBER.matcher(words[words.length - 1]);
    String what = from(0, List.of(words).subList(0, words.length - 1).toArray(String[]::new));
    if (expected.matches()) {
      int base = expected.group(1).isEmpty() ? 0 : marks.getOrDefault(what, -1_000);
      assertThat(number(who, what.split(" ", -1)))
          .as(now)
          .isEqualTo(base + Integer.parseInt(expected.group()));
      return;
    }
    OneNode node = node(who);
    switch (words[0]) {
      case "has" -> assertThat(node.addresses()).as(now).isEqualTo(set(words[1]));
      case "free" -> assertThat(node.blocked()).as(now).isEmpty();
      case "blocked" ->
          assertThat(node.blocked()).as(now).contains(BlockedReason.valueOf(words[1]));
      case "known" -> assertThat(node.node.inventory()).isInstanceOf(Inventory.Known.class);
      case "unknown" ->
          assertThat(node.node.inventory()).as(now).isInstanceOf(Inventory.InstanceMissing.class);
      case "reported" ->
          assertThat(world.reported.stream().map(ErrorCode::name).collect(Collectors.joining(" ")))
              .as(now)
              .isEqualTo(words[1].equals("nothing") ? "" : words[1]);
      case "states" -> assertThat(world.states(form.target)).as(now).containsOnly(words[1]);
      case "shownState" -> assertThat(node.shown().get(0).state()).as(now).isEqualTo(words[1]);
      case "plans" -> assertThat(found(plans, who).addresses()).as(now).isEqualTo(set(words[1]));
      case "unplanned" ->
          assertThat(node.node.prepareCidrRelease(OneNode.singles(set(words[1]))))
              .as(now)
              .isEmpty();
      case "kept" -> assertThat(world.addresses(form.target)).as(now).containsAll(remembered);
      case "lacks" ->
          assertThat(world.addresses(form.target))
              .as(now)
              .doesNotContainAnyElementsOf(
                  OneNode.singles(set(words[1])).stream().map(Cidr::toString).toList());
      case "apart" -> assertThat(set(words[1]).intersects(set(words[2]))).as(now).isFalse();
      case "same" -> assertThat(number(who, words[1])).as(now).isEqualTo(number(who, words[2]));
      case "notSentTo" ->
          assertThat(world.way.urls()).as(now).noneMatch(url -> url.contains(words[1]));
      default -> throw new IllegalArgumentException(now);
    }
  }

  private int number(String who, String... words) {
    return switch (words[0]) {
      case "writes" -> world.writes();
      case "written" -> world.way.written().size();
      case "generation" -> (int) node(who).known().generation();
      case "sent" -> world.way.urls().size();
      case "asked" -> world.asked(words[1]);
      case "azure" -> world.added(form.target);
      case "has" -> node(who).addresses().size();
      case "blocks" -> node(who).blocks().size();
      case "quota" -> node(who).quota();
      case "shown" -> node(who).shown().get(0).addresses().size();
      case "room" -> node(who).node.prepareIpAllocation().ipv4().roomOnInterface();
      case "capacity" -> node(who).known().statistics().capacityIpv4();
      case "interfaces" -> node(who).known().statistics().interfaces();
      case "maximum" -> node(who).node.maximumAllocatableIpv4().orElseThrow();
      case "reports" -> world.reported.size();
      case "azureFree" -> OneNode.on(world, world.allocation(), Form.MACHINE.machine).quota();
      default -> throw new IllegalArgumentException(now);
    };
  }
}
