package io.tidemark.daemon.cni;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.CoolingRule;
import io.tidemark.daemon.cni.TestAgent.Reply;
import io.tidemark.file.CrashingFiles.Crash;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.metrics.Metric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Pods come and go")
class AttachmentsTest {
  private static final int TRY_AGAIN = 11;

  private final TestAgent agent = new TestAgent("10.0.0.0/24", "fd00::/64");

  /** A gateway and two addresses. */
  private final TestAgent small = new TestAgent(CoolingRule.OFF, "10.0.0.0/29");

  private static byte[] bytes(String command, String container) {
    return TestAgent.request(command, container, "1.1.0", "").getBytes(UTF_8);
  }

  @Test
  @DisplayName("A85 An ADD that is repeated gets the same answer, over a restart too")
  void repeated() {
    Reply first = agent.add("c1");
    assertThat(first.addresses()).hasSize(2);

    assertThat(agent.add("c1")).isEqualTo(first);
    agent.restart();
    assertThat(agent.add("c1")).isEqualTo(first);
    assertThat(agent.inUse()).isEqualTo(4);
  }

  @Test
  @DisplayName("A85 An ADD that is repeated before it is answered gets the same answer")
  void repeatedAtOnce() {
    CompletableFuture<Reply> first = agent.send(bytes("ADD", "c1"));
    CompletableFuture<Reply> second = agent.send(bytes("ADD", "c1"));
    agent.pass(Duration.ofSeconds(1));

    assertThat(second.join()).isEqualTo(first.join());
    assertThat(agent.inUse()).isEqualTo(4);
  }

  @Test
  @DisplayName("A86 A DEL of what is not attached succeeds, and so does a second one")
  void deleted() {
    assertThat(agent.delete("unknown").succeeded()).isTrue();
    agent.add("c1");
    assertThat(agent.delete("c1").succeeded()).isTrue();
    assertThat(agent.delete("c1").succeeded()).isTrue();
    assertThat(agent.inUse()).isEqualTo(2);
  }

  @Test
  @DisplayName("A86 Two DELs at once succeed, and an ADD behind them gets an address of its own")
  void deletedAtOnce() {
    agent.add("c1");
    CompletableFuture<Reply> first = agent.send(bytes("DEL", "c1"));
    CompletableFuture<Reply> second = agent.send(bytes("DEL", "c1"));
    CompletableFuture<Reply> add = agent.send(bytes("ADD", "c1"));
    agent.pass(Duration.ofSeconds(1));

    assertThat(first.join().succeeded()).isTrue();
    assertThat(second.join().succeeded()).isTrue();
    assertThat(add.join().addresses()).hasSize(2);
    assertThat(agent.inUse()).isEqualTo(4);
  }

  @Test
  @DisplayName("A86 A DEL ends an ADD of the same attachment that waits for an address")
  void deletedWhileWaiting() {
    fill(small);
    CompletableFuture<Reply> waiting = small.send(bytes("ADD", "late"));
    small.pass(Duration.ofSeconds(1));
    assertThat(waiting).isNotDone();

    assertThat(small.delete("late").succeeded()).isTrue();
    assertThat(waiting.join().code()).isEqualTo(TRY_AGAIN);
    small.pass(TestAgent.ADD_WAIT);
    assertThat(small.delete("c1").succeeded()).isTrue();
    assertThat(small.inUse()).isEqualTo(5);
  }

  @Test
  @DisplayName("A86 A DEL behind an ADD that is being written waits for it and takes it back")
  void deletedWhileWritten() {
    CompletableFuture<Reply> add = agent.send(bytes("ADD", "c1"));
    CompletableFuture<Reply> delete = agent.send(bytes("DEL", "c1"));
    agent.pass(Duration.ofSeconds(1));

    assertThat(add.join().succeeded()).isTrue();
    assertThat(delete.join().succeeded()).isTrue();
    assertThat(agent.inUse()).isEqualTo(2);
  }

  @Test
  @DisplayName("An ADD without a free address waits, and gets the one that a DEL gives back")
  void waits() {
    fill(small);
    CompletableFuture<Reply> first = small.send(bytes("ADD", "x1"));
    CompletableFuture<Reply> second = small.send(bytes("ADD", "x2"));
    small.pass(Duration.ofSeconds(3));
    assertThat(small.measured.value(Metric.AGENT_CNI_WAITING)).isEqualTo(2);
    small.delete("c1");

    assertThat(small.measured.value(Metric.AGENT_CNI_WAITING)).isEqualTo(1);
    assertThat(first.join().succeeded()).isTrue();
    assertThat(second).isNotDone();
    small.pass(TestAgent.ADD_WAIT);
    assertThat(second.join().code()).isEqualTo(TRY_AGAIN);
    assertThat(second.join().output()).contains("TM-1607 EXHAUSTED", "6 in use");
    assertThat(small.measured.value(Metric.AGENT_CNI_WAITING)).isZero();
    assertThat(small.measured.value(Metric.AGENT_CNI_REQUESTS, "ADD", "11")).isEqualTo(1);
  }

  private static void fill(TestAgent agent) {
    for (int i = 1; i <= 5; i++) {
      assertThat(agent.add("c" + i).succeeded()).isTrue();
    }
  }

  @Test
  @DisplayName(
      "A87 A write that fails leaves no trace: the ADD is refused, the DEL changes nothing")
  void failedWrites() {
    agent.add("c1");
    agent.files.fault(agent.files.changes().size(), Fault.FAILS, 0);
    assertThat(agent.add("c2").code()).isEqualTo(TRY_AGAIN);
    assertThat(agent.inUse()).isEqualTo(4);

    agent.files.fault(agent.files.changes().size(), Fault.FAILS, 0);
    assertThat(agent.delete("c1").code()).isEqualTo(TRY_AGAIN);
    assertThat(agent.inUse()).isEqualTo(4);
    assertThat(agent.delete("c1").succeeded()).isTrue();
    assertThat(agent.add("c2").succeeded()).isTrue();
  }

  @Test
  @DisplayName(
      "A87 A crash at any change of the file loses no answered ADD and gives no address twice")
  void crashes() {
    for (int seed = 0; seed < 400; seed++) {
      crash(seed);
    }
  }

  /** Pods come and go until the agent ends at some change of its file; then it starts again. */
  private static void crash(int seed) {
    Random random = new Random(seed);
    TestAgent agent = new TestAgent(CoolingRule.OFF, "10.0.0.0/28");
    Fault[] crashes = {Fault.CRASH_BEFORE, Fault.CRASH_INSIDE, Fault.CRASH_AFTER};
    agent.files.fault(
        agent.files.changes().size() + random.nextInt(30),
        crashes[random.nextInt(3)],
        random.nextInt(200));
    List<String> pods = new ArrayList<>();
    List<Reply> answered = new ArrayList<>();
    String underWay = "";
    try {
      for (int i = 0; i < 12; i++) {
        if (!pods.isEmpty() && random.nextInt(3) == 0) {
          int at = random.nextInt(pods.size());
          underWay = pods.remove(at);
          answered.remove(at);
          agent.delete(underWay);
        } else {
          underWay = "c" + i;
          Reply reply = agent.add(underWay);
          pods.add(underWay);
          answered.add(reply);
        }
      }
    } catch (Crash e) {
      if (agent.answered().output().contains("\"ips\"")) {
        pods.add(underWay);
        answered.add(agent.answered());
      }
    }
    agent.files.losePower(random);
    agent.restart();

    int held = agent.inUse() - 1;
    assertThat(held).as("seed %s", seed).isBetween(pods.size(), pods.size() + 1);
    for (int i = 0; i < pods.size(); i++) {
      assertThat(agent.add(pods.get(i))).as("seed %s", seed).isEqualTo(answered.get(i));
    }
    agent.delete(underWay.isEmpty() ? "none" : underWay);
    List<String> all = new ArrayList<>();
    for (String pod : pods) {
      if (!pod.equals(underWay)) {
        all.addAll(agent.add(pod).addresses());
      }
    }
    all.addAll(agent.add("new").addresses());
    assertThat(new HashSet<>(all)).as("seed %s", seed).hasSameSizeAs(all);
  }

  @Test
  @DisplayName("A88 GC takes back what is not listed, of its own network alone")
  void collected() {
    agent.add("c1");
    agent.add("c2");
    agent.ask(TestAgent.request("ADD", "c3", "1.1.0", "").replace("\"net\"", "\"other\""));
    Reply reply =
        agent.ask(
            TestAgent.request(
                "GC",
                "",
                "1.1.0",
                ",\"cni.dev/valid-attachments\":[{\"containerID\":\"c1\",\"ifname\":\"eth0\"}]"));

    assertThat(reply.succeeded()).isTrue();
    assertThat(agent.inUse()).isEqualTo(6);
    assertThat(agent.ask(TestAgent.request("GC", "", "1.1.0", "")).code()).isEqualTo(7);
    assertThat(agent.inUse()).isEqualTo(6);
  }

  @Test
  @DisplayName("A89 STATUS fails while an ADD could not be served")
  void status() {
    assertThat(small.status().succeeded()).isTrue();
    fill(small);
    assertThat(small.status().code()).isEqualTo(50);
    assertThat(small.status().output()).contains("TM-1607 EXHAUSTED", "6 in use");
    small.delete("c1");
    assertThat(small.status().succeeded()).isTrue();
  }

  @Test
  @DisplayName("A89 A cooling address counts once it may be handed out, so STATUS and ADD agree")
  void statusOfCooling() {
    TestAgent floor =
        new TestAgent(
            new CoolingRule(Duration.ofMinutes(2), Duration.ofSeconds(30)), "10.0.0.0/29");
    fill(floor);
    floor.delete("c1");
    assertThat(floor.status().code()).isEqualTo(50);
    assertThat(floor.status().output()).contains("1 cooling");
    floor.pass(Duration.ofSeconds(29));
    assertThat(floor.status().code()).isEqualTo(50);
    floor.pass(Duration.ofSeconds(1));
    assertThat(floor.status().succeeded()).isTrue();
    assertThat(floor.add("c6").succeeded()).isTrue();
  }

  @Test
  @DisplayName("A89 STATUS fails while a pod waits, even when an address comes free")
  void statusOfWaiting() {
    fill(small);
    CompletableFuture<Reply> first = small.send(bytes("ADD", "x1"));
    CompletableFuture<Reply> second = small.send(bytes("ADD", "x2"));
    small.pass(Duration.ofSeconds(1));
    assertThat(small.status().output()).contains("pods wait for an address: 2");
    small.delete("c1");
    assertThat(small.status().output()).contains("pods wait for an address: 1");
    small.delete("x2");
    assertThat(first).isDone();
    assertThat(second.join().code()).isEqualTo(TRY_AGAIN);
    assertThat(small.status().output()).contains("TM-1607 EXHAUSTED");
  }

  @Test
  @DisplayName("An ADD that waits for one family leaves the addresses of the other alone")
  void waitsForOneFamily() {
    TestAgent dual = new TestAgent("10.0.0.0/29", "fd00::/64");
    fill(dual);
    CompletableFuture<Reply> waiting = dual.send(bytes("ADD", "late"));
    dual.pass(Duration.ofSeconds(9));
    assertThat(dual.ipam.snapshot()).allMatch(each -> each.counts().cooling() == 0);
    dual.delete("c1");
    assertThat(waiting.join().addresses()).contains("fd00::17/64");
  }

  @Test
  @DisplayName("A89 STATUS fails after a write of the state that failed")
  void statusOfFile() {
    agent.files.fault(agent.files.changes().size(), Fault.FAILS, 0);
    agent.add("c1");
    assertThat(agent.status().code()).isEqualTo(50);
    agent.add("c1");
    assertThat(agent.status().succeeded()).isTrue();
  }

  @Test
  @DisplayName("A76 The pause of a released address goes on over a restart, and is then forgotten")
  void pauseOverRestart() {
    TestAgent node = new TestAgent("10.0.0.0/29");
    fill(node);
    node.delete("c2");
    node.pass(Duration.ofSeconds(60));
    node.delete("c3");
    node.restart();
    assertThat(cooling(node)).isEqualTo(2);
    node.pass(Duration.ofSeconds(69));
    assertThat(cooling(node)).isEqualTo(2);
    node.pass(Duration.ofSeconds(1));
    assertThat(cooling(node)).isEqualTo(1);
    node.restart();
    assertThat(cooling(node)).isEqualTo(1);
    node.pass(Duration.ofSeconds(60));
    assertThat(cooling(node)).isZero();
    node.delete("c1");
    assertThat(node.fileText())
        .doesNotContain("\"10.0.0.2\"", "\"10.0.0.3\"")
        .contains("\"10.0.0.6\"");
  }

  private static int cooling(TestAgent node) {
    return node.ipam.snapshot().get(0).counts().cooling();
  }

  @Test
  @DisplayName("A76 When the clock was set back, an address pauses anew, and not for longer")
  void clockSetBack() {
    TestAgent node = new TestAgent("10.0.0.0/29");
    node.add("c1");
    node.delete("c1");
    node.pass(Duration.ofSeconds(100));
    node.world.clock().step(Duration.ofHours(-5));
    node.restart();
    node.pass(Duration.ofSeconds(129));
    assertThat(cooling(node)).isEqualTo(1);
    node.pass(Duration.ofSeconds(1));
    assertThat(cooling(node)).isZero();
  }

  @Test
  @DisplayName("A76 An address that is in use again does not cool after a restart")
  void usedAgain() {
    small.add("c1");
    TestAgent node = new TestAgent("10.0.0.0/30");
    Reply first = node.add("c1");
    node.delete("c1");
    assertThat(node.add("c2").addresses()).isEqualTo(first.addresses());
    node.restart();
    assertThat(cooling(node)).isZero();
    assertThat(node.inUse()).isEqualTo(2);
  }

  @Test
  @DisplayName("A76 After another start of the machine the addresses of its pods pause")
  void pauseAfterBoot() {
    TestAgent node = new TestAgent("10.0.0.0/29");
    node.add("c1");
    node.add("c2");
    node.delete("c2");
    node.boot = "boot-2";
    node.restart();
    assertThat(cooling(node)).isEqualTo(2);
    assertThat(node.inUse()).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "A93 An agent that starts again knows gateways and pods, and gives none of them away")
  void restarted() {
    List<String> before = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      before.addAll(small.add("c" + i).addresses());
    }
    small.restart();
    assertThat(small.inUse()).isEqualTo(6);
    small.delete("c3");

    assertThat(small.add("c6").addresses()).containsExactly(before.get(2));
  }

  @Test
  @DisplayName("A93 After another start of the machine no pod lives; the gateway stays the same")
  void rebooted() {
    agent.add("c1");
    agent.boot = "boot-2";
    agent.restart();
    assertThat(agent.inUse()).isEqualTo(2);
    agent.boot = "boot-1";
    agent.restart();
    assertThat(agent.inUse()).isEqualTo(2);
  }

  @Test
  @DisplayName("A93 Where the system has no id of its start, an attachment stays")
  void startWithoutId() {
    Reply first = agent.add("c1");
    agent.boot = "";
    agent.restart();
    assertThat(agent.add("c1")).isEqualTo(first);
    assertThat(agent.inUse()).isEqualTo(4);
  }
}
