package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

@DisplayName("Calls follow EC2's rules: each block of rules.txt")
class RulesTest {
  private static final Pattern INNERMOST = Pattern.compile("\\(([^()]*)\\)");
  private static final Pattern VARIABLE = Pattern.compile("\\$(\\w+)");
  private static final Pattern ASSIGNMENT = Pattern.compile("(\\w+) = (.*)");

  @TestFactory
  Stream<DynamicTest> rules() throws IOException {
    try (InputStream in = RulesTest.class.getResourceAsStream("rules.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return Stream.of(text.split("\n\n"))
          .map(block -> List.of(block.strip().split("\n")))
          .filter(lines -> lines.get(lines.size() - 1).startsWith("! "))
          .map(lines -> DynamicTest.dynamicTest(lines.get(0), () -> new Breach(lines).check()));
    }
  }

  /** What is forbidden, done in a world of its own. */
  private static final class Breach {
    private final World world = new World();
    private final Map<String, String> variables = new HashMap<>(Map.of("one", World.ONE_OF_IMAGE));
    private final List<String> lines;

    Breach(List<String> lines) {
      this.lines = lines;
    }

    void check() {
      int last = lines.size() - 2;
      lines.subList(1, last).forEach(this::step);
      String[] forbidden = evaluated(lines.get(last)).split(" ");
      Ec2Error error = world.refusal(forbidden[0], rest(forbidden, 1));
      String[] expected = lines.get(last + 1).split(" ", 3);
      assertThat(error.code()).as(error.toString()).isEqualTo(expected[1]);
      assertThat(error.message()).contains(expected[2]);
      Books.check(world.region());
    }

    private void step(String line) {
      Matcher assignment = ASSIGNMENT.matcher(line);
      if (assignment.matches()) {
        variables.put(assignment.group(1), called(evaluated(assignment.group(2))));
      } else {
        called(evaluated(line));
      }
    }

    /** With the values of its variables, and the results of the calls in parentheses. */
    private String evaluated(String text) {
      String left =
          VARIABLE.matcher(text).replaceAll(found -> Objects.requireNonNull(value(found.group(1))));
      for (Matcher call = INNERMOST.matcher(left); call.find(); call = INNERMOST.matcher(left)) {
        left = left.substring(0, call.start()) + called(call.group(1)) + left.substring(call.end());
      }
      return left;
    }

    private String value(String name) {
      return Objects.requireNonNull(variables.get(name), name);
    }

    /** The result of a call: of an action the member after the {@code >}, of a text itself. */
    private String called(String text) {
      String[] words = text.split(" > ", -1)[0].split(" ", -1);
      return switch (words[0]) {
        case "as" -> {
          world.as(words[1]);
          yield "";
        }
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
        case "table" ->
            World.text(
                world.call("CreateRouteTable", "VpcId=" + words[1]), "routeTable.routeTableId");
        case "repeat" ->
            IntStream.rangeClosed(1, Integer.parseInt(words[1]))
                .mapToObj(i -> words[2].replace("#", Integer.toString(i)))
                .collect(Collectors.joining());
        default -> words[0].contains("=") ? text : action(words, text);
      };
    }

    private String action(String[] words, String text) {
      Answer answer = world.call(words[0], rest(words, 1));
      return text.contains(" > ") ? World.text(answer, text.split(" > ", -1)[1]) : "";
    }

    /** A second subnet, without an IPv6 block, in the VPC of a dual-stack one. */
    private String secondOfDualStack() {
      String first = "SubnetId.1=" + world.dualStack();
      String vpc = World.text(world.call("DescribeSubnets", first), "subnetSet.0.vpcId");
      world.call("AssociateVpcCidrBlock", "VpcId=" + vpc, "CidrBlock=10.0.1.0/24");
      return world.subnet(vpc, "10.0.1.0/24");
    }

    private static String[] rest(String[] words, int from) {
      return Arrays.copyOfRange(words, from, words.length);
    }
  }
}
