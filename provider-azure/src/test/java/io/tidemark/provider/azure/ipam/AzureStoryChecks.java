package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.error.ErrorCode;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Done;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The checks of an {@link AzureStory}, and what its steps have made. */
abstract class AzureStoryChecks {
  private static final Pattern NUMBER = Pattern.compile("([>+]?)([0-9]+)");

  final Form form;
  AzureWorld world = new AzureWorld(ModelOptions.of(1));
  AzureAllocation azure = world.allocation();
  final Map<String, OneNode> nodes = new HashMap<>();
  final Map<String, CompletionStage<?>> pending = new HashMap<>();
  final Map<String, AddressSet> sets = new HashMap<>();
  final Map<String, ReleaseAction> plans = new HashMap<>();
  final Map<String, Integer> marks = new HashMap<>();
  final Map<String, List<NewConfiguration>> names = new HashMap<>();
  Set<String> remembered = Set.of();
  @Nullable Done done;

  /** The current step, for failure messages. */
  String now = "";

  AzureStoryChecks(Form form) {
    this.form = form;
  }

  static String from(int word, String... words) {
    return Stream.of(words).skip(word).collect(Collectors.joining(" "));
  }

  final <K, T> T found(Map<K, T> all, K name) {
    return Objects.requireNonNull(all.get(name), now);
  }

  final OneNode node(String who) {
    return found(nodes, who);
  }

  final AddressSet set(String text) {
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

  /** Those of a name, {@code three:2} the first two, {@code three@2} the one at that place. */
  final List<NewConfiguration> names(String text) {
    String[] part = text.split("[:@]", 2);
    List<NewConfiguration> all = found(names, part[0]);
    if (part.length == 1) {
      return all;
    }
    int at = Integer.parseInt(part[1]);
    return text.contains("@") ? all.subList(at, at + 1) : all.subList(0, at);
  }

  final String operation(String word) {
    return switch (word) {
      case "write" -> form.put;
      case "usages" -> "VirtualNetworks.ListUsage";
      case "publicsOfInstance" -> "PublicIPAddresses.ListVirtualMachineScaleSetVMPublicIPAddresses";
      case "listOfSet" -> "Interfaces.ListVirtualMachineScaleSetNetworkInterfaces";
      case "listOfInstance" -> "Interfaces.ListVirtualMachineScaleSetVMNetworkInterfaces";
      default -> word;
    };
  }

  /** The expected value: a number, which may count from its mark, or a text. */
  final void holds(String who, String... words) {
    Matcher expected = NUMBER.matcher(words[words.length - 1]);
    String what = from(0, List.of(words).subList(0, words.length - 1).toArray(String[]::new));
    if (expected.matches()) {
      int found = number(who, what.split(" ", -1));
      int wanted = Integer.parseInt(expected.group(2));
      switch (expected.group(1)) {
        case ">" -> assertThat(found).as(now).isGreaterThan(wanted);
        case "+" -> assertThat(found - found(marks, what)).as(now).isEqualTo(wanted);
        default -> assertThat(found).as(now).isEqualTo(wanted);
      }
      return;
    }
    if (!holdsOfWorld(who, words) && !holdsOfNode(node(who), words)) {
      throw new IllegalArgumentException(now);
    }
  }

  private boolean holdsOfWorld(String who, String... words) {
    switch (words[0]) {
      case "shows", "showsOnly" -> {
        Set<String> all =
            names(words[1]).stream().map(NewConfiguration::name).collect(Collectors.toSet());
        assertThat(world.shown(form.target)).as(now).containsAll(all);
        if (words[0].equals("showsOnly")) {
          assertThat(world.added(form.target)).as(now).isEqualTo(all.size());
        }
      }
      case "kept" -> assertThat(world.addresses(form.target)).as(now).containsAll(remembered);
      case "states" -> assertThat(world.states(form.target)).as(now).containsOnly(words[1]);
      case "pools" ->
          assertThat(azure.poolQuota().keySet())
              .as(now)
              .extracting(PoolId::text)
              .containsExactly(
                  Stream.of(words).skip(1).map(Landscape::subnet).toArray(String[]::new));
      case "done", "notDone" ->
          assertThat(found(pending, who).toCompletableFuture().isDone())
              .as(now)
              .isEqualTo(words[0].equals("done"));
      case "reported" ->
          assertThat(world.reported.stream().map(ErrorCode::name).collect(Collectors.joining(" ")))
              .as(now)
              .isEqualTo(words[1].equals("nothing") ? "" : words[1]);
      case "notWritten" ->
          assertThat(world.way.written()).as(now).noneMatch(each -> each.contains(words[1]));
      case "lacks" ->
          assertThat(world.addresses(form.target))
              .as(now)
              .doesNotContainAnyElementsOf(
                  OneNode.singles(set(words[1])).stream().map(Cidr::toString).toList());
      case "apart" -> assertThat(set(words[1]).intersects(set(words[2]))).as(now).isFalse();
      case "same" -> assertThat(number(who, words[1])).as(now).isEqualTo(number(who, words[2]));
      case "notSentTo" ->
          assertThat(world.way.urls()).as(now).noneMatch(url -> url.contains(words[1]));
      case "plans" -> assertThat(found(plans, who).addresses()).as(now).isEqualTo(set(words[1]));
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean holdsOfNode(OneNode node, String... words) {
    switch (words[0]) {
      case "has" -> assertThat(node.addresses()).as(now).isEqualTo(set(words[1]));
      case "free" -> assertThat(node.blocked()).as(now).isEmpty();
      case "blocked" -> {
        assertThat(node.blocked()).as(now).isPresent();
        if (!words[1].equals("?")) {
          assertThat(node.blocked()).as(now).contains(BlockedReason.valueOf(words[1]));
        }
      }
      case "known" -> assertThat(node.node.inventory()).isInstanceOf(Inventory.Known.class);
      case "unknown" ->
          assertThat(node.node.inventory()).as(now).isInstanceOf(Inventory.InstanceMissing.class);
      case "delegated" -> assertThat(node.node.isPrefixDelegated()).as(now).isTrue();
      case "notDelegated" -> assertThat(node.node.isPrefixDelegated()).as(now).isFalse();
      case "vanished" ->
          assertThat(node.node.inventory()).isEqualTo(new Inventory.InstanceMissing(true));
      case "macless" -> {
        assertThat(node.shown()).as(now).hasSize(1).allMatch(each -> each.mac().isEmpty());
        assertThat(node.known().interfaces()).as(now).isEmpty();
      }
      case "showsInterface" ->
          assertThat(node.shown())
              .as(now)
              .extracting(each -> each.name())
              .containsExactly(words[1]);
      case "noGateway" -> assertThat(node.shown().get(0).gateway()).as(now).isEmpty();
      case "noBlock" -> assertThat(node.shown().get(0).cidr()).as(now).isEmpty();
      case "inSubnet" ->
          assertThat(node.shown().get(0).addresses())
              .as(now)
              .allMatch(each -> each.subnet().equals(Landscape.subnet(words[1])));
      case "shownState" -> assertThat(node.shown().get(0).state()).as(now).isEqualTo(words[1]);
      case "unplanned" ->
          assertThat(node.node.prepareCidrRelease(OneNode.singles(set(words[1]))))
              .as(now)
              .isEmpty();
      default -> {
        return false;
      }
    }
    return true;
  }

  final int number(String who, String... words) {
    return switch (words[0]) {
      case "writes" -> world.writes();
      case "written" -> world.way.written().size();
      case "generation" -> (int) node(who).known().generation();
      case "sent" -> world.way.urls().size();
      case "asked" -> world.asked(operation(words[1]));
      case "azure" -> world.added(form.target);
      case "has" -> node(who).addresses().size();
      case "blocks" -> node(who).blocks().size();
      case "quota" -> node(who).quota();
      case "shown" -> node(who).shown().get(0).addresses().size();
      case "room" -> node(who).node.prepareIpAllocation().ipv4().roomOnInterface();
      case "capacity" -> node(who).known().statistics().capacityIpv4();
      case "withRoom" -> node(who).known().statistics().interfacesWithRoom();
      case "used" -> world.usedOfPrefix(words[1]);
      case "shownNames" -> world.shown(form.target).size();
      case "done" -> Objects.requireNonNull(done).names().size();
      case "seen" -> Objects.requireNonNull(done).seen().configurations().size();
      case "tokens" -> world.tokensGiven;
      case "pools" -> azure.poolQuota().size();
      case "left" ->
          found(azure.poolQuota(), new PoolId(Landscape.subnet(words[1]))).availableIps();
      case "interfaces" -> node(who).known().statistics().interfaces();
      case "maximum" -> node(who).node.maximumAllocatableIpv4().orElseThrow();
      case "reports" -> world.reported.size();
      case "azureFree" -> OneNode.on(world, world.allocation(), Form.MACHINE.machine).quota();
      default -> throw new IllegalArgumentException(now);
    };
  }
}
