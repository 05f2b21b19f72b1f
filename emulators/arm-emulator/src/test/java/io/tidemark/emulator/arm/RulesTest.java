package io.tidemark.emulator.arm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.model.ArmModel;
import io.tidemark.emulator.arm.model.AuditLog;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Power;
import io.tidemark.emulator.arm.model.Resources;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.scenario.ArmScenario;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("13.8, provider-azure 4.10: Azure's rules, each block of rules.txt")
class RulesTest {
  private static final Pattern INNERMOST = Pattern.compile("\\(([^()]*)\\)");
  private static final Pattern VARIABLE = Pattern.compile("\\$([A-Za-z]\\w*)");
  private static final Pattern ASSIGNMENT = Pattern.compile("(\\w+) = (.*)");
  private static final Pattern CHECK = Pattern.compile("(.*) (==|!=|~|!~) (.*)");
  private static final Pattern SCENARIO = Pattern.compile("(behaviour|[a-z-]+s): .*");
  private static final Set<String> PARAMETERS = Set.of("expand", "filter", "select", "top");

  @TestFactory
  Stream<DynamicTest> rules() throws IOException {
    try (InputStream in = RulesTest.class.getResourceAsStream("rules.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return Stream.of(text.split("\n\n", -1))
          .map(block -> List.of(block.strip().split("\n", -1)))
          .filter(lines -> lines.size() > 1 && !lines.get(0).startsWith("#"))
          .flatMap(RulesTest::tests);
    }
  }

  private static List<String> session(long seed) {
    Cloud cloud =
        new Cloud(
            ModelOptions.builder(seed)
                .operation(new DelayRange(Duration.ofSeconds(1), Duration.ofSeconds(30)))
                .listLag(DelayRange.upTo(Duration.ofSeconds(5)))
                .latency(DelayRange.upTo(Duration.ofSeconds(1)))
                .build());
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      answers.add(cloud.write(true, List.of("+2")).toString());
      answers.add(cloud.write(false, List.of("+2")).toString());
      cloud.pass(Duration.ofSeconds(12));
      answers.add(cloud.get(Cloud.INSTANCE_0 + "/networkInterfaces").toString());
    }
    return answers;
  }

  @Test
  @DisplayName("(m) the same seed and the same calls give the same answers, another seed others")
  void deterministic() {
    assertThat(session(7)).isEqualTo(session(7)).isNotEqualTo(session(8));
  }

  /** One test, or one for each row of the block. */
  private static Stream<DynamicTest> tests(List<String> block) {
    List<String> rows = block.stream().filter(each -> each.startsWith("| ")).toList();
    List<String> lines = block.subList(rows.size() + 1, block.size());
    if (rows.isEmpty()) {
      return Stream.of(DynamicTest.dynamicTest(block.get(0), () -> new Block().check(lines)));
    }
    return rows.stream()
        .map(
            row -> {
              String[] cells = row.substring(2).split(" +\\| ", -1);
              List<String> filled = lines.stream().map(each -> filled(each, cells)).toList();
              return DynamicTest.dynamicTest(
                  block.get(0) + ": " + cells[0], () -> new Block().check(filled));
            });
  }

  private static String filled(String line, String[] cells) {
    String filled = line;
    for (int i = 0; i < cells.length; i++) {
      filled = filled.replace("$" + (i + 1), cells[i].strip());
    }
    return filled;
  }

  /** Lines in a cloud of their own. */
  private static final class Block {
    private ModelOptions options = ModelOptions.of(1);
    private Cloud cloud = new Cloud(options);
    private ArmReply last = ArmReply.of(200, Document.EMPTY);
    private final Map<String, String> variables = new HashMap<>(Cloud.NAMES);

    void check(List<String> lines) {
      for (int i = 0; i < lines.size(); i++) {
        String next = i + 1 < lines.size() ? lines.get(i + 1) : "";
        String line = lines.get(i);
        if (next.startsWith("! IllegalArgument ")) {
          assertThatIllegalArgumentException()
              .isThrownBy(() -> step(line))
              .withMessageContaining(next.split(" ", 3)[2]);
        } else if (next.startsWith("! ")) {
          step(line);
          String[] expected = text(next.substring(2)).split(" : ", 2);
          assertThat(Cloud.refusal(last)).as(line).isEqualTo(expected[0]);
          if (expected.length == 2) {
            assertThat(last.body()).contains(expected[1]);
          }
        } else if (!line.startsWith("! ")) {
          ArmReply before = last;
          step(line);
          if (!last.equals(before) && !CHECK.matcher(line).matches()) {
            assertThat(last.status()).as(line + ": " + last).isLessThan(400);
          }
        }
      }
    }

    private void step(String line) {
      Matcher assignment = ASSIGNMENT.matcher(line);
      Matcher check = CHECK.matcher(line);
      if (line.startsWith("times ")) {
        String[] words = line.split(" ", 3);
        IntStream.range(0, Integer.parseInt(words[1])).forEach(i -> step(words[2]));
      } else if (SCENARIO.matcher(line).matches()) {
        scenario(text(line));
      } else if (check.matches()) {
        check(line, told(check.group(1)), check.group(2), text(check.group(3)));
      } else if (assignment.matches()) {
        variables.put(assignment.group(1), told(assignment.group(2)));
      } else {
        assertThat(told(line)).as("a word is missing here").isNotEqualTo(text(line));
      }
    }

    private static void check(String line, String found, String how, String expected) {
      switch (how) {
        case "==" -> assertThat(found).as(line).isEqualTo(expected);
        case "!=" -> assertThat(found).as(line).isNotEqualTo(expected);
        case "~" -> assertThat(found).as(line).matches(expected);
        default -> assertThat(found).as(line).doesNotMatch(expected);
      }
    }

    /** With the values of its variables. */
    private String text(String text) {
      return VARIABLE
          .matcher(text)
          .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1))));
    }

    private String value(String name) {
      return PARAMETERS.contains(name)
          ? "$" + name
          : Objects.requireNonNull(variables.get(name), name);
    }

    /** Another world, or what a line of a scenario adds to this one. */
    private void scenario(String line) {
      boolean made = line.startsWith("behaviour: ");
      ArmScenario read =
          ArmScenarioYaml.read("rules", "throttling: false\n" + line).scenario().orElseThrow();
      if (made) {
        options = read.options();
        cloud = new Cloud(options);
      } else if (line.startsWith("roles: ")) {
        cloud.model().access().setRoles(read.roles());
      } else if (line.startsWith("locks: ")) {
        cloud.model().access().setLocks(read.locks());
      } else if (line.startsWith("faults: ")) {
        cloud.model().faults().set(read.faults());
      } else {
        read.steps().forEach(each -> each.make().accept(cloud.owner()));
      }
    }

    /** The result of a call: the members after the {@code >}, else the status of a request. */
    private String told(String line) {
      String left = text(line);
      for (Matcher call = INNERMOST.matcher(left); call.find(); call = INNERMOST.matcher(left)) {
        left = left.substring(0, call.start()) + told(call.group(1)) + left.substring(call.end());
      }
      String[] parts = (" " + left).split(" > ", 2);
      String call = parts[0].strip();
      if (!call.isEmpty()) {
        Optional<String> told = called(call, call.split(" ", -1));
        if (told.isPresent()) {
          return told.get();
        }
      }
      return parts.length == 1 ? Integer.toString(last.status()) : Cloud.told(last, parts[1]);
    }

    /** The result of a word; empty for a request, which has a reply. */
    private Optional<String> called(String line, String[] words) {
      ArmModel model = cloud.model();
      Resources owner = cloud.owner();
      List<String> rest = List.of(words).subList(1, words.length);
      switch (words[0]) {
        case "subnet" -> cloud = new Cloud(options, rest.toArray(String[]::new));
        case "pass" -> cloud.pass(Duration.parse("PT" + rest.get(0)));
        case "as" -> cloud.as(rest.get(0));
        case "behind" -> model.listsBehind(Optional.of(Duration.parse("PT" + rest.get(0))));
        case "revokeTokens" -> model.revokeTokens();
        case "addSubnet" -> {
          int used = rest.size() == 2 ? 0 : Integer.parseInt(rest.get(2));
          List<Cidr> blocks = List.of(Cidr.parse(rest.get(1)));
          owner.addSubnet(Cloud.NET + "/subnets/" + rest.get(0), blocks, used > 0, used);
        }
        case "addInstance" -> owner.addInstance(Cloud.SET, Integer.parseInt(rest.get(0)));
        case "addMember" -> owner.addMachine(rest.get(0), "westeurope", Optional.of(rest.get(1)));
        case "addSet" -> owner.addScaleSet(rest.get(0), "westeurope", rest.size() > 1, List.of());
        case "addInterface" ->
            owner.addInterface(
                rest.get(0), Cloud.VM, List.of(Cloud.primary("primary")), Document.EMPTY);
        case "take" -> owner.takeAddresses(Cloud.SUBNET, List.of(IpAddress.parse(rest.get(0))));
        case "prefixState" -> owner.setPrefixState(rest.get(0), rest.get(1));
        case "power" -> owner.setPower(rest.get(0), Power.valueOf(rest.get(1)));
        case "occupy" -> owner.occupy(rest.get(0), Duration.parse("PT" + rest.get(1)));
        case "markForDeletion" -> owner.markForDeletion(rest.get(0));
        case "upgrade" -> owner.upgradeToModel(rest.get(0));
        case "delete" -> owner.delete(rest.get(0));
        case "because" ->
            model
                .faults()
                .set(
                    model.faults().rules().stream()
                        .map(each -> each.withError(each.error().because(rest.get(0), "x")))
                        .toList());
        default -> {
          return told(line, words, rest);
        }
      }
      return Optional.of("");
    }

    private Optional<String> told(String line, String[] words, List<String> rest) {
      AuditLog audit = cloud.model().audit();
      return switch (words[0]) {
        case "GET", "HEAD", "PUT", "POST", "PATCH", "DELETE" -> {
          last = cloud.request(words[0], rest.get(0), rest.subList(1, rest.size()));
          yield Optional.empty();
        }
        case "nic", "instance" -> {
          last = cloud.write(words[0].equals("nic"), rest);
          yield Optional.empty();
        }
        case "pages" -> {
          last = cloud.pages(rest.get(0));
          yield Optional.empty();
        }
        case "giveToken" -> Optional.of(cloud.model().giveToken(rest.get(0), cloud.now()));
        case "answered" -> Optional.of(Integer.toString(answered(line.substring(9))));
        case "repeat" ->
            Optional.of(
                IntStream.range(0, Integer.parseInt(rest.get(0)))
                    .mapToObj(i -> rest.get(1) + i)
                    .collect(Collectors.joining(",")));
        case "plain" -> {
          String all = told(String.join(" ", rest) + " > .");
          Document resource = DocumentJson.read(all).orElseThrow().without("tags", "etag");
          yield Optional.of(
              DocumentJson.print(resource).replaceAll("W/\\\\\"[0-9a-f-]+\\\\\"", ""));
        }
        case "lower" -> Optional.of(rest.get(0).toLowerCase(Locale.ROOT));
        case "upper" -> Optional.of(rest.get(0).toUpperCase(Locale.ROOT));
        case "sorted" -> Optional.of(rest.stream().sorted().collect(Collectors.joining(" ")));
        case "distinct" -> Optional.of(rest.stream().distinct().collect(Collectors.joining(" ")));
        case "operations" -> Optional.of(String.join(" ", new TreeSet<>(audit.counts().keySet())));
        case "requests" -> Optional.of(Integer.toString(audit.count(rest.get(0))));
        case "audit" ->
            Optional.of(
                audit.entries().stream()
                    .map(
                        each ->
                            each.principal()
                                + " "
                                + each.operation()
                                + " "
                                + each.status()
                                + each.code())
                    .collect(Collectors.joining(", ")));
        default -> Optional.of(line);
      };
    }

    /** How often a request is answered before it is refused. */
    private int answered(String request) {
      for (int i = 0; i < 2_000; i++) {
        told(request.replace("#", Integer.toString(i)));
        if (last.status() >= 400) {
          return i;
        }
      }
      throw new AssertionError("2,000 requests were answered");
    }
  }
}
