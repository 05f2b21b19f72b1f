package io.tidemark.provider.aws.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.metrics.Metric;
import io.tidemark.metrics.TestMeters;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.provider.aws.ec2.EmulatedDoors;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What instance types can carry")
class InstanceTypeLimitsTest {
  private final TestMeters measured = new TestMeters();
  private static final InstanceType LARGE =
      new InstanceType("test.large", 4, 4, 5, 6, "nitro", false);

  private final VirtualTime time = new VirtualTime(0);
  private final Map<String, InstanceType> told = new TreeMap<>();
  private final List<Set<?>> asked = new ArrayList<>();
  private boolean reachable = true;

  private List<String> sourcesOf(String type) {
    return Stream.of("settings", "cloud", "table")
        .filter(each -> measured.value(Metric.ENI_LIMITS, type, each) == 1)
        .toList();
  }

  private InstanceTypeLimits limits(Map<String, InstanceType> mapping, InstanceTypeTable table) {
    return new InstanceTypeLimits(
        mapping,
        table,
        this::ec2,
        EmulatedDoors.calls(time, Duration.ofMillis(100), Ec2CallLimits.of("1", "eu-central-1", 1)),
        time,
        measured.meters);
  }

  private InstanceTypeLimits limits() {
    return limits(Map.of(), new InstanceTypeTable("nothing", Map.of()));
  }

  /** EC2 of which nobody may want anything but its types. */
  private Ec2Api ec2() {
    return EditedEc2.of(
        (method, arguments) -> {
          assertThat(method.getName()).isEqualTo("describeInstanceTypes");
          return types(
              Objects.requireNonNull(((Ec2Filter) arguments[0]).values().get("instance-type")));
        });
  }

  private AwsPage<InstanceType> types(Set<?> names) throws Ec2Failure {
    asked.add(names);
    if (!reachable) {
      throw Ec2Failure.refused("UnauthorizedOperation", "not you", 403, "");
    }
    return new AwsPage<>(
        told.values().stream().filter(type -> names.contains(type.name())).toList(),
        Optional.empty());
  }

  private void pass(Duration span) {
    time.runUntil(time.nanos() + span.toNanos());
  }

  @Test
  @DisplayName("AWS-54 the shipped table knows old types, and none that does not exist")
  void shipped() {
    InstanceTypeTable table = InstanceTypeTable.shipped();
    assertThat(table.find("no.such")).isEmpty();
    InstanceType old = table.find("m3.large").orElseThrow();
    assertThat(old.hypervisor()).isEqualTo("xen");
    assertThat(old.interfacesOnCard0()).isPositive();
    assertThat(old.ipv4PerInterface()).isPositive();
    assertThat(table.types()).hasSizeGreaterThan(1_100);
    assertThat(table.source()).contains("2026");
  }

  @Test
  @DisplayName("AWS-54 what EC2 told of a type that the table lacks, the next leader knows at once")
  void nextLeader() {
    told.put("test.large", LARGE);
    told.put("m5.large", InstanceTypeTable.shipped().find("m5.large").orElseThrow());
    InstanceTypeLimits first = limits(Map.of(), InstanceTypeTable.shipped());
    assertThat(first.find("test.large")).isEmpty();
    assertThat(first.find("m5.large")).isPresent();
    pass(Duration.ofSeconds(1));
    assertThat(first.learned()).isEqualTo("test.large\t4\t4\t5\t6\tnitro\tfalse\n");

    reachable = false;
    InstanceTypeLimits next = limits(Map.of(), InstanceTypeTable.shipped());
    next.inherit(first.learned());
    assertThat(next.isPending("test.large")).isFalse();
    assertThat(next.find("test.large")).contains(LARGE);
    pass(Duration.ofSeconds(1));
    assertThat(asked).as("EC2 is asked again").hasSize(2);
    assertThat(next.find("test.large")).contains(LARGE);
    assertThat(next.learned()).isEqualTo(first.learned());
  }

  @ParameterizedTest(name = "[{0}]")
  @ValueSource(
      strings = {
        "",
        "test.large",
        "test.large,4,4,5,6,nitro",
        "test.large,4,4,5,6,nitro,false,more",
        "test.large,many,4,5,6,nitro,false",
        "test.large,4,3,5,6,nitro,false",
        "test.large,0,4,5,6,nitro,false",
        "test.large,4,4,-5,6,nitro,false",
        ",4,4,5,6,nitro,false",
        "m5.large,400,400,500,600,nitro,false"
      })
  @DisplayName("AWS-54 a note that cannot be, or that the table contradicts, is passed over")
  void oddNote(String note) {
    InstanceTypeLimits next = limits(Map.of(), InstanceTypeTable.shipped());
    next.inherit(note.replace(',', '\t'));
    assertThat(next.learned()).isEmpty();
    assertThat(next.find("test.large")).isEmpty();
    assertThat(next.find("m5.large")).isEqualTo(InstanceTypeTable.shipped().find("m5.large"));
  }

  @DisplayName("AWS-78 only network card 0 counts")
  @ParameterizedTest(name = "AWS-78 {0}: {1} of {2} x {3}, {4} singles")
  @CsvSource({
    "p5.48xlarge, 2, 64, 50, 98",
    "p5en.48xlarge, 4, 64, 50, 196",
    "p4d.24xlarge, 15, 60, 50, 735",
    "hpc6id.32xlarge, 1, 2, 50, 49",
    "m5.large, 3, 3, 10, 27",
    "i3.metal, 15, 15, 50, 735"
  })
  void cards(String name, int card0, int all, int ipv4, int singles) {
    InstanceType type = InstanceTypeTable.shipped().find(name).orElseThrow();
    assertThat(type.interfacesOnCard0()).isEqualTo(card0);
    assertThat(type.interfacesInAll()).isEqualTo(all);
    assertThat(type.ipv4PerInterface()).isEqualTo(ipv4);
    assertThat(card0 * (ipv4 - 1)).isEqualTo(singles);
  }

  @Test
  @DisplayName(
      "AWS-56 AWS-57 unknown at once, known within two seconds; a type that is new later, too")
  void appears() {
    told.put(LARGE.name(), LARGE);
    InstanceTypeLimits limits = limits();
    assertThat(limits.find(LARGE.name())).isEmpty();
    assertThat(limits.find("no.such")).isEmpty();
    pass(Duration.ofSeconds(2));
    assertThat(limits.find(LARGE.name())).contains(LARGE);
    assertThat(limits.find("no.such")).isEmpty();
    InstanceType late = new InstanceType("no.such", 4, 4, 15, 15, "nitro", false);
    told.put("no.such", late);
    assertThat(limits.find("no.such")).as("asked less than a minute ago").isEmpty();
    pass(Duration.ofSeconds(10));
    assertThat(asked).hasSize(1);
    pass(Duration.ofMinutes(1));
    limits.find("no.such");
    pass(Duration.ofSeconds(2));
    assertThat(limits.find("no.such")).contains(late);
    assertThat(asked).containsExactly(Set.of("no.such", LARGE.name()), Set.of("no.such"));
  }

  @Test
  @DisplayName(
      "AWS-101 the first lookup of a type that the table lacks is waited for, others are not")
  void pending() {
    told.put(LARGE.name(), LARGE);
    InstanceTypeLimits limits = limits(Map.of(), InstanceTypeTable.shipped());
    assertThat(limits.isPending(LARGE.name())).as("not asked for yet").isTrue();
    assertThat(limits.find("m5.large")).isPresent();
    assertThat(limits.isPending("m5.large")).isFalse();
    assertThat(limits.settled().toCompletableFuture()).as("the table has it").isDone();
    limits.find(LARGE.name());
    limits.find("no.such");
    CompletableFuture<Void> settled = limits.settled().toCompletableFuture();
    assertThat(settled).isNotDone();
    pass(Duration.ofSeconds(1));
    assertThat(settled).isDone();
    assertThat(limits.isPending(LARGE.name())).isFalse();
    assertThat(limits.isPending("no.such")).as("EC2 has no such type").isFalse();
    pass(Duration.ofMinutes(2));
    limits.find("no.such");
    assertThat(limits.settled().toCompletableFuture()).as("looked up before").isDone();
    assertThat(limits.isPending("")).isFalse();
  }

  @Test
  @DisplayName("AWS-101 so is that of more types than one request has")
  void pendingOfMany() {
    InstanceTypeLimits limits = limits();
    IntStream.range(0, 101).forEach(i -> limits.find("type." + i));
    CompletableFuture<Void> settled = limits.settled().toCompletableFuture();
    for (int millis = 0; millis < 5_000 && !settled.isDone(); millis += 10) {
      pass(Duration.ofMillis(10));
    }
    assertThat(settled).isDone();
    IntStream.range(0, 101).forEach(i -> assertThat(limits.isPending("type." + i)).isFalse());
  }

  @Test
  @DisplayName("AWS-58 types in use are asked for together, a hundred at a time, once a day")
  void batches() {
    InstanceTypeLimits limits = limits();
    IntStream.range(0, 250)
        .mapToObj(i -> new InstanceType("type." + i, 2, 2, 4, 4, "nitro", false))
        .forEach(type -> told.put(type.name(), type));
    told.keySet().forEach(limits::find);
    pass(Duration.ofSeconds(5));
    assertThat(asked).hasSize(3).allMatch(names -> names.size() <= 100);
    told.keySet().forEach(name -> assertThat(limits.find(name)).isPresent());
    pass(Duration.ofHours(23));
    told.keySet().forEach(limits::find);
    pass(Duration.ofSeconds(5));
    assertThat(asked).hasSize(3);
    pass(Duration.ofHours(1));
    limits.find("type.7");
    assertThat(limits.find("type.7")).as("old until told anew").isPresent();
    pass(Duration.ofSeconds(5));
    assertThat(asked).hasSize(4);
  }

  @Test
  @DisplayName("AWS-92 the limits of the settings survive what EC2 says, and cost no request")
  void mapping() {
    told.put(LARGE.name(), LARGE);
    InstanceType mine = new InstanceType(LARGE.name(), 1, 1, 2, 0, "nitro", false);
    InstanceTypeLimits limits = limits(Map.of(LARGE.name(), mine), InstanceTypeTable.shipped());
    assertThat(limits.find(LARGE.name())).contains(mine);
    assertThat(limits.isPending(LARGE.name())).isFalse();
    limits.doubt(LARGE.name());
    pass(Duration.ofDays(2));
    assertThat(limits.find(LARGE.name())).contains(mine);
    assertThat(asked).isEmpty();
    assertThat(sourcesOf(LARGE.name())).containsExactly("settings");
  }

  @Test
  @DisplayName("While EC2 cannot be asked the shipped table serves, and is asked for again")
  void unreachable() {
    reachable = false;
    InstanceTypeLimits limits = limits(Map.of(), InstanceTypeTable.shipped());
    assertThat(limits.find("m5.large")).isPresent();
    assertThat(limits.find("no.such")).isEmpty();
    pass(Duration.ofSeconds(30));
    int before = asked.size();
    assertThat(before).isPositive();
    assertThat(limits.find("m5.large")).isPresent();
    assertThat(limits.find("no.such")).isEmpty();
    reachable = true;
    told.put("m5.large", new InstanceType("m5.large", 2, 2, 10, 10, "nitro", false));
    pass(Duration.ofMinutes(1));
    limits.find("m5.large");
    assertThat(sourcesOf("m5.large")).containsExactly("table");
    pass(Duration.ofSeconds(2));
    assertThat(limits.find("m5.large")).contains(told.get("m5.large"));
    assertThat(sourcesOf("m5.large")).containsExactly("cloud");
  }

  @Test
  @DisplayName("A doubted type is asked for again, and served as it was meanwhile")
  void doubted() {
    told.put(LARGE.name(), LARGE);
    InstanceTypeLimits limits = limits();
    limits.find(LARGE.name());
    pass(Duration.ofSeconds(1));
    InstanceType smaller = new InstanceType(LARGE.name(), 3, 3, 5, 6, "nitro", false);
    told.put(LARGE.name(), smaller);
    limits.doubt(LARGE.name());
    assertThat(limits.find(LARGE.name())).contains(LARGE);
    pass(Duration.ofSeconds(1));
    assertThat(limits.find(LARGE.name())).contains(smaller);
  }

  @Test
  @DisplayName("A table with a wrong line is refused, naming it")
  void wrongTable() {
    for (String line : List.of("a,b,c", "a,b")) {
      assertThatThrownBy(() -> InstanceTypeTable.parse(List.of("type,hypervisor", line)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(line);
    }
  }
}
