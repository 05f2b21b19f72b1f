package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Power;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Done;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Target;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.provider.azure.network.PublicAddressChange;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;

/**
 * Tests in words, as "on; fault lose-answer write times=1; add 7; has 7; writes 1": what an
 * operator asks for a node, what Azure and others do, time that passes, and what must hold then. A
 * step that begins with "other" is one of another operator of the same machine. {@code seven:2} are
 * the first two of the addresses {@code seven}, {@code seven:-2} the last ones, {@code !} takes
 * some away and {@code +} adds some.
 */
final class AzureStory extends AzureStoryChecks {
  private static final Pattern NAMED = Pattern.compile("(other|[a-z]+:) (.*)");
  private static final Pattern TIME = Pattern.compile("[0-9.]+(s|m|h)");
  private static final Pattern ONLY = Pattern.compile("(UNIFORM|MACHINE): (.*)");

  private String machine;
  private boolean blocks;
  private final List<ArmFault> faults = new ArrayList<>();
  private Optional<NodeResource> published = Optional.empty();
  private CompletionStage<CallResult<Done>> put =
      CompletableFuture.failedStage(new AssertionError());
  private final Map<String, Cidr> ranges =
      new HashMap<>(Map.of("egress", Cidr.parse("203.0.113.0/30")));
  private Map<String, String> tags = Map.of("use", "egress");
  private String targetName = "";
  private @Nullable IpAddress bound;
  private int awaited;

  private AzureStory(Form form) {
    super(form);
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
    assertThat(awaited).as("writes that must come of: %s", steps).isZero();
  }

  private void beforeNextWrite(Runnable others) {
    awaited++;
    world.way.beforeNextWrite(
        () -> {
          awaited--;
          others.run();
        });
  }

  private void step(String step) {
    Matcher named = NAMED.matcher(step);
    String who = named.matches() ? named.group(1) : "node";
    String[] words = (named.matches() ? named.group(2) : step).split(" +", -1);
    if (TIME.matcher(words[0]).matches()) {
      world.pass(duration(words[0]));
    } else if (!makes(who, words)
        && !calls(who, words)
        && !writes(words)
        && !binds(words)
        && !befalls(words)) {
      holds(who, words);
    }
  }

  private static Duration duration(String text) {
    return Duration.parse("PT" + text);
  }

  /** Worlds, nodes and names. */
  private boolean makes(String who, String... words) {
    AzureAllocation operator = who.equals("other") ? world.allocation() : azure;
    switch (words[0]) {
      case "cloud" -> {
        boolean paced = words.length > 1 && words[1].equals("paced");
        String text = "seed: 1\nthrottling: false\nbehaviour: {" + from(paced ? 2 : 1, words) + "}";
        ModelOptions options =
            ArmScenarioYaml.read("story", text).scenario().orElseThrow().options();
        world = paced ? AzureWorld.paced(options) : new AzureWorld(options);
        azure = world.allocation();
      }
      case "usual" -> azure = world.allocation();
      case "at" ->
          machine =
              words[1].equals("SECOND")
                  ? Form.UNIFORM.machine.replaceAll("0$", "1")
                  : Form.valueOf(words[1]).machine;
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
      case "mark" -> marks.put(from(1, words), number(who, from(1, words).split(" ", -1)));
      case "subnet" -> land().addSubnet(words[1], from(2, words).split(" ", -1));
      case "usedSubnet", "busySubnet" ->
          land()
              .addSubnet(
                  words[1], Integer.parseInt(words[2]), words[0].startsWith("busy"), words[3]);
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
          pending.put(
              who,
              node(who)
                  .begin(Integer.parseInt(words[1]), duration(words.length > 2 ? words[2] : "5m")));
      case "beginSync" ->
          pending.put(
              who,
              azure.instanceSync(
                  world.id(node(who).machine), world.context(Duration.ofMinutes(10))));
      case "ends" -> ends(world.await(found(pending, who)), 1, words);
      case "sync" -> ends(node(who).sync(), 1, words);
      case "resync" -> {
        AzureAllocation operator = nodes.containsKey(who) ? node(who).azure : azure;
        ends(world.await(operator.resync(world.context())), 1, words);
      }
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
      if (outcome instanceof AllocationOutcome.PoolExhausted exhausted) {
        assertThat(exhausted.pool().text()).as(now).isEqualTo(Landscape.subnet(each));
        return;
      }
      tells(failure(outcome), each);
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

  /** Writes of the interface alone, without a node. */
  private boolean writes(String... words) {
    switch (words[0]) {
      case "names" -> names.put(words[1], world.names(Integer.parseInt(words[2])));
      case "named" -> names.put(words[1], List.of(new NewConfiguration(words[1], false)));
      case "block" -> names.put(words[1], List.of(new NewConfiguration(words[1], true)));
      case "put" -> written(world.outcome(put(words)), words);
      case "drop" -> written(world.outcome(drop(words[1])), words);
      case "beginPut" -> put = put(words);
      case "beginDrop" -> put = drop(words[1]);
      case "endsPut" -> written(world.outcome(put), "", "");
      case "show" -> {
        NewConfiguration hidden = names(words[1]).get(0);
        String name = words[2].equals("hidden") ? "hidden" : names(words[2]).get(0).name();
        UnaryOperator<String> more =
            words.length > 3 ? answers(from(2, words).split(" ", -1)) : UnaryOperator.identity();
        world.way.rewriting(
            body -> inLists(more.apply(body), all -> all.replace(hidden.name(), name)));
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private CompletionStage<CallResult<Done>> put(String... words) {
    List<String> all = List.of(words);
    Target target = form.target;
    if (all.contains("other") || all.contains("known")) {
      int known = all.contains("known") ? Integer.parseInt(words[all.indexOf("known") + 1]) : 1;
      String name = all.contains("other") ? "other" : target.name();
      target = new Target(target.networkInterface(), name, known);
    }
    List<NewConfiguration> added =
        words[1].matches("[0-9]+") ? world.names(Integer.parseInt(words[1])) : names(words[1]);
    return world.write(target).apply(ConfigurationEdit.adding(added, AddressSet.of()));
  }

  private CompletionStage<CallResult<Done>> drop(String text) {
    Set<String> dropped =
        names(text).stream().map(NewConfiguration::name).collect(Collectors.toSet());
    return world.write(form.target).apply(ConfigurationEdit.removing(dropped));
  }

  /** Public addresses of prefixes. */
  private boolean binds(String... words) {
    switch (words[0]) {
      case "prefix" -> {
        ranges.put(words[1], Cidr.parse(words[2]));
        Document tags = Document.of("tags", Document.of("use", "egress"));
        int used = Integer.parseInt(words[3]);
        world.azure.change(
            owner ->
                owner.addPublicPrefix(
                    AzureWorld.publicId("publicIPPrefixes/" + words[1]),
                    "westeurope",
                    Cidr.parse(words[2]),
                    tags,
                    used));
      }
      case "prefixState" ->
          world.azure.change(
              owner ->
                  owner.setPrefixState(
                      AzureWorld.publicId("publicIPPrefixes/" + words[1]), words[2]));
      case "bind" -> {
        IpAddress given = world.await(world.bind(target(), tags)).answer().orElseThrow();
        if (words[1].equals("same")) {
          assertThat(given).as(now).isEqualTo(bound);
        } else {
          assertThat(found(ranges, words[1]).contains(given)).as("%s: %s", now, given).isTrue();
        }
        bound = given;
      }
      case "bindRefused" -> {
        Failure failure = world.await(world.bind(target(), tags)).refusal().orElseThrow();
        Stream.of(words).skip(1).forEach(each -> tells(failure, each));
      }
      case "tags" -> tags = Map.of("use", words[1]);
      case "targetNamed" -> targetName = words[1];
      case "exhaust" -> {
        PublicAddressChange full =
            new PublicAddressChange.OfPrefix(
                "cilium-managed-public-ip",
                ResourceId.of(AzureWorld.publicId("publicIPPrefixes/" + words[1])));
        InterfaceEdit edit = new PublicAddressEdit(full);
        assertThat(world.outcome(world.write(form.target).apply(edit)).refusal()).isPresent();
      }
      case "meanwhile" ->
          beforeNextWrite(
              () -> {
                for (int i = 0; i < Integer.parseInt(words[1]); i++) {
                  world.makePublicAddress("o" + i);
                }
              });
      case "state" ->
          world.azure.change(
              owner -> owner.setProvisioningState(form.target.networkInterface().text(), words[1]));
      default -> {
        return false;
      }
    }
    return true;
  }

  private Target target() {
    return targetName.isEmpty()
        ? form.target
        : new Target(form.target.networkInterface(), targetName, 1);
  }

  private void tells(Failure failure, String text) {
    assertThat(
            text.equals(failure.kind().name())
                || text.equals(failure.condition())
                || failure.detail().contains(text))
        .as("%s: %s", now, failure)
        .isTrue();
  }

  /** The expected result of a write: complete, unless a word tells something else. */
  private void written(CallResult<Done> result, String... words) {
    List<String> all = List.of(words).subList(2, words.length);
    if (all.contains("failed")) {
      assertThat(result.refusal()).as(now).isPresent();
    } else if (all.contains("unknown")) {
      assertThat(result.refusal().map(Failure::kind)).as(now).contains(Failure.Kind.LOST);
    } else if (all.contains("refused")) {
      Failure failure = result.refusal().orElseThrow();
      assertThat(failure.kind()).as(now).isNotEqualTo(Failure.Kind.LOST);
      all.stream()
          .skip(all.indexOf("refused") + 1L)
          .forEach(each -> assertThat(failure.condition()).as(now).isEqualTo(each));
    } else {
      done = result.answer().orElseThrow(() -> new AssertionError(now + ": " + result));
      if (!all.contains("?")) {
        assertThat(done.complete()).as(now).isNotEqualTo(all.contains("incomplete"));
      }
    }
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
      case "before" -> beforeNextWrite(() -> step(from(1, words)));
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
    fields.put("operation", operation(words[2]));
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
        String[] pair = (where[where.length - 1] + " ").split(" => ", 2);
        yield body ->
            where.length == 1 || body.contains(where[0])
                ? body.replaceAll(pair[0], pair[1].strip())
                : body;
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
}
