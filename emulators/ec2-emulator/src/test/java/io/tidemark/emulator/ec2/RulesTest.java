package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions.Delay;
import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.kit.pace.DelayRange;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

@DisplayName("EC2's rules: each block of rules.txt and of conduct.txt")
class RulesTest {
  private static final Pattern INNERMOST = Pattern.compile("\\(([^()]*)\\)");
  private static final Pattern VARIABLE = Pattern.compile("\\$(\\w+)");
  private static final Pattern ASSIGNMENT = Pattern.compile("(\\w+) = (.*)");
  private static final Pattern EQUALITY = Pattern.compile("(.*) == (.*)");
  private static final Pattern REFUSAL = Pattern.compile("! (?:(\\d+) )?(\\w[\\w.]+) ?(.*)");
  private static final Pattern ACTION = Pattern.compile("[A-Z]\\w+");

  @TestFactory
  Stream<DynamicTest> rules() {
    return blocks("rules.txt");
  }

  @TestFactory
  Stream<DynamicTest> conduct() {
    return blocks("conduct.txt");
  }

  private static Stream<DynamicTest> blocks(String file) {
    try (InputStream in = RulesTest.class.getResourceAsStream(file)) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return Stream.of(text.split("\n\n", -1))
          .map(block -> List.of(block.strip().split("\n", -1)))
          .filter(lines -> lines.size() > 1 && !lines.get(0).startsWith("#"))
          .map(lines -> DynamicTest.dynamicTest(lines.get(0), () -> new Block(lines).check()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Calls in a world of their own. */
  private static final class Block {
    private World world = new World();
    private final Map<String, String> variables = new HashMap<>(Map.of("one", World.ONE_OF_IMAGE));
    private final List<String> lines;

    Block(List<String> lines) {
      this.lines = lines;
    }

    void check() {
      for (int i = 1; i < lines.size(); i++) {
        Matcher refusal = REFUSAL.matcher(i + 1 < lines.size() ? lines.get(i + 1) : "");
        if (refusal.matches()) {
          refused(evaluated(lines.get(i)).split(" ", -1), refusal);
        } else if (!lines.get(i).startsWith("! ")) {
          step(lines.get(i));
        }
      }
      Books.check(world.region());
    }

    private void refused(String[] call, Matcher expected) {
      Ec2Error error = world.refusal(call[0], rest(call, 1));
      assertThat(error.code()).as(error.toString()).isEqualTo(expected.group(2));
      assertThat(error.message()).contains(expected.group(3));
      if (expected.group(1) != null) {
        assertThat(error.status()).isEqualTo(Integer.parseInt(expected.group(1)));
      }
    }

    private void step(String line) {
      Matcher assignment = ASSIGNMENT.matcher(line);
      Matcher equality = EQUALITY.matcher(line);
      if (line.startsWith("times ")) {
        String[] words = line.split(" ", 3);
        IntStream.range(0, Integer.parseInt(words[1])).forEach(i -> step(words[2]));
      } else if (equality.matches()) {
        assertThat(called(evaluated(equality.group(1))))
            .as(line)
            .isEqualTo(evaluated(equality.group(2)));
      } else if (assignment.matches()) {
        variables.put(assignment.group(1), called(evaluated(assignment.group(2))));
      } else {
        called(evaluated(line));
      }
    }

    /** With the values of its variables, and the results of the calls in parentheses. */
    private String evaluated(String text) {
      String left =
          VARIABLE
              .matcher(text)
              .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1))));
      for (Matcher call = INNERMOST.matcher(left); call.find(); call = INNERMOST.matcher(left)) {
        left = left.substring(0, call.start()) + called(call.group(1)) + left.substring(call.end());
      }
      return left;
    }

    private String value(String name) {
      return Objects.requireNonNull(variables.get(name), name);
    }

    /** The result of a call: of an action the members after the {@code >}, of a text itself. */
    private String called(String text) {
      String[] parts = text.split(" > ", 2);
      String path = parts.length == 1 ? "" : parts[1];
      String[] words = parts[0].split(" ", -1);
      return switch (words[0]) {
        case "options" -> {
          world = new World(options(words[1]));
          yield "";
        }
        case "pass" -> {
          world.pass(Duration.parse(words[1]));
          yield "";
        }
        case "share" -> {
          world.model().share(World.REGION, words[1], Set.of(rest(words, 2)), world.now());
          yield "";
        }
        case "as" -> {
          world.as(words[1]);
          yield "";
        }
        case "metadata" -> metadata(Optional.empty(), words[1]);
        case "metadataOf" -> metadata(Optional.of(words[1]), words[2]);
        case "vpc" -> world.vpc(words[1]);
        case "subnet" ->
            words.length == 2
                ? world.subnet(words[1])
                : world.subnet(words[1], words[2], rest(words, 3));
        case "dualStack" -> world.dualStack();
        case "secondOfDualStack" -> secondOfDualStack();
        case "interface" -> world.interfaceId(words[1], rest(words, 2));
        case "instance" -> world.instance(words[1], words[2]);
        case "primary" -> world.primaryInterface(words[1]);
        case "attach" -> world.attach(words[1], words[2], Integer.parseInt(words[3]));
        case "group" -> world.group(words[1], words[2]);
        case "defaultGroup" -> world.defaultGroup(words[1]);
        case "table" -> told("routeTable.routeTableId", "CreateRouteTable", "VpcId=" + words[1]);
        case "available" -> Integer.toString(world.available(words[1]));
        case "filter" -> World.filter(1, words[1], rest(words, 2));
        case "list" ->
            told(
                "networkInterfaceSet." + path,
                "DescribeNetworkInterfaces",
                World.filter(1, words[1], rest(words, 2)));
        case "shown" -> called("list network-interface-id " + words[1] + " > *." + path);
        case "state" ->
            told(
                "reservationSet.0.instancesSet.0.instanceState.name",
                "DescribeInstances",
                "InstanceId.1=" + words[1]);
        case "repeat" -> {
          String[] bounds = ("1.." + words[1]).split("\\.\\.", -1);
          yield IntStream.rangeClosed(
                  Integer.parseInt(bounds[bounds.length - 2]),
                  Integer.parseInt(bounds[bounds.length - 1]))
              .mapToObj(i -> words[2].replace("#", Integer.toString(i)))
              .collect(Collectors.joining());
        }
        default -> ACTION.matcher(words[0]).matches() ? told(path, words[0], rest(words, 1)) : text;
      };
    }

    /** The texts at this path, or at each of those that end in braces. */
    private String metadata(Optional<String> instance, String path) {
      String[] parts = path.split("[{}]", -1);
      return Stream.of(parts[parts.length > 1 ? 1 : 0].split(",", -1))
          .map(each -> world.metadata(instance, parts.length > 1 ? parts[0] + each : each))
          .collect(Collectors.joining(" "));
    }

    /** The texts that the answer of this call has at the path. */
    private String told(String path, String action, String... parameters) {
      List<String> texts = World.texts(world.call(action, parameters), path);
      return texts.isEmpty() ? "none" : String.join(" ", texts);
    }

    /** Everything at once, but for quotas like VPCS=2 or delays like ATTACH,DETACH=PT5S. */
    private static Ec2ModelOptions options(String text) {
      String[] parts = text.split("=", 2);
      if (!parts[1].startsWith("PT")) {
        return World.options().withQuota(Quota.valueOf(parts[0]), Integer.parseInt(parts[1]));
      }
      Delay[] delays = Stream.of(parts[0].split(",", -1)).map(Delay::valueOf).toArray(Delay[]::new);
      return World.options().withDelay(DelayRange.fixed(Duration.parse(parts[1])), delays);
    }

    /** A second subnet, without an IPv6 block, in the VPC of a dual-stack one. */
    private String secondOfDualStack() {
      String first = "SubnetId.1=" + world.dualStack();
      String vpc = told("subnetSet.0.vpcId", "DescribeSubnets", first);
      world.call("AssociateVpcCidrBlock", "VpcId=" + vpc, "CidrBlock=10.0.1.0/24");
      return world.subnet(vpc, "10.0.1.0/24");
    }

    private static String[] rest(String[] words, int from) {
      return Arrays.copyOfRange(words, from, words.length);
    }
  }
}
