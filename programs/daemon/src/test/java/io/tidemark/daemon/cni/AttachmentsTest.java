package io.tidemark.daemon.cni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.CoolingRule;
import io.tidemark.daemon.cni.TestAgent.Reply;
import io.tidemark.file.CrashingFiles.Crash;
import io.tidemark.file.CrashingFiles.Fault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Pods come and go")
class AttachmentsTest {
  private final TestAgent agent = new TestAgent("10.0.0.0/24", "fd00::/64");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          A85 An ADD that is repeated gets the same answer, over a restart too \
            | agent 10.0.0.0/24 fd00::/64; add c1 = 10.0.0.18/24 fd00::12/64; \
              add c1 = 10.0.0.18/24 fd00::12/64; restart; add c1 = 10.0.0.18/24 fd00::12/64; \
              inUse = 4
          A85 An ADD that is repeated before it is answered gets the same answer \
            | agent 10.0.0.0/24 fd00::/64; sends ADD x c1; sends ADD y c1; 1s; \
              reply x = 10.0.0.18/24 fd00::12/64; reply y = 10.0.0.18/24 fd00::12/64; inUse = 4
          A86 A DEL of what is not attached succeeds, and so does a second one \
            | agent 10.0.0.0/24 fd00::/64; del unknown; add c1; del c1; del c1; inUse = 2
          A86 Two DELs at once succeed, and an ADD behind them gets an address of its own \
            | agent 10.0.0.0/24 fd00::/64; add c1; sends DEL x c1; sends DEL y c1; \
              sends ADD z c1; 1s; reply x; reply y; reply z = 10.0.0.19/24 fd00::13/64; \
              inUse = 4
          A86 A DEL ends an ADD of the same attachment that waits for an address \
            | cools 0s 0s 10.0.0.0/29; fill; sends ADD x late; 1s; reply x = none yet; del late; \
              reply x = 11 eth0 of container late in network net was deleted meanwhile; 10s; \
              del c1; inUse = 5
          A86 A DEL behind an ADD that is being written waits for it and takes it back \
            | agent 10.0.0.0/24 fd00::/64; sends ADD x c1; sends DEL y c1; 1s; \
              reply x = 10.0.0.18/24 fd00::12/64; reply y; inUse = 2
          An ADD without a free address waits, and gets the one that a DEL gives back \
            | cools 0s 0s 10.0.0.0/29; fill; sends ADD x x1; sends ADD y x2; 3s; waiting = 2.0; \
              del c1; waiting = 1.0; reply x = 10.0.0.6/29; reply y = none yet; 10s; \
              reply y = 11 TM-1607 EXHAUSTED: no IPv4 address of pool default is free: 6 in use, \
              0 cooling; waiting = 0.0; requests ADD 11 = 1.0
          A87 A write that fails leaves no trace: the ADD is refused, the DEL changes nothing \
            | agent 10.0.0.0/24 fd00::/64; add c1; fails; \
              add c2 = 11 /state/attachments.json cannot be written: java.io.IOException: no \
              space left; inUse = 4; fails; \
              del c1 = 11 /state/attachments.json cannot be written: java.io.IOException: no \
              space left; inUse = 4; del c1; add c2
          A89 STATUS fails while an ADD could not be served \
            | cools 0s 0s 10.0.0.0/29; status; fill; \
              status = 50 TM-1607 EXHAUSTED: no IPv4 address of pool default is free: 6 in use, \
              0 cooling; del c1; status
          A89 A cooling address counts once it may be handed out, so STATUS and ADD agree \
            | cools 2m 30s 10.0.0.0/29; fill; del c1; \
              status = 50 TM-1607 EXHAUSTED: no IPv4 address of pool default is free: 5 in use, \
              1 cooling; 29s; \
              status = 50 TM-1607 EXHAUSTED: no IPv4 address of pool default is free: 5 in use, \
              1 cooling; 1s; status; add c6
          A89 STATUS fails while a pod waits, even when an address comes free \
            | cools 0s 0s 10.0.0.0/29; fill; sends ADD x x1; sends ADD y x2; 1s; \
              status = 50 pods wait for an address: 2; del c1; \
              status = 50 pods wait for an address: 1; del x2; reply x = 10.0.0.6/29; \
              reply y = 11 eth0 of container x2 in network net was deleted meanwhile; \
              status = 50 TM-1607 EXHAUSTED: no IPv4 address of pool default is free: 6 in use, \
              0 cooling
          An ADD that waits for one family leaves the addresses of the other alone \
            | agent 10.0.0.0/29 fd00::/64; fill; sends ADD x late; 9s; cooling = 0; del c1; \
              reply x = 10.0.0.6/29 fd00::17/64
          A89 STATUS fails after a write of the state that failed \
            | agent 10.0.0.0/24 fd00::/64; fails; \
              add c1 = 11 /state/attachments.json cannot be written: java.io.IOException: no \
              space left; \
              status = 50 /state/attachments.json cannot be written: java.io.IOException: no \
              space left; add c1; status
          A76 The pause of a released address goes on over a restart, and is then forgotten \
            | agent 10.0.0.0/29; fill; del c2; 60s; del c3; restart; cooling = 2; 69s; \
              cooling = 2; 1s; cooling = 1; restart; cooling = 1; 60s; cooling = 0; del c1; \
              inFile 10.0.0.2 = false; inFile 10.0.0.3 = false; inFile 10.0.0.6 = true
          A76 When the clock was set back, an address pauses anew, and not for longer \
            | agent 10.0.0.0/29; add c1; del c1; 100s; clock -5h; restart; 129s; cooling = 1; \
              1s; cooling = 0
          A76 An address that is in use again does not cool after a restart \
            | agent 10.0.0.0/30; add c1 = 10.0.0.2/30; del c1; add c2 = 10.0.0.2/30; restart; \
              cooling = 0; inUse = 2
          A76 After another start of the machine the addresses of its pods pause \
            | agent 10.0.0.0/29; add c1 c2; del c2; boots boot-2; cooling = 2; inUse = 1
          A93 An agent that starts again knows gateways and pods, and gives none of them away \
            | cools 0s 0s 10.0.0.0/29; add c1 = 10.0.0.6/29; add c2 = 10.0.0.2/29; \
              add c3 = 10.0.0.3/29; add c4 = 10.0.0.4/29; add c5 = 10.0.0.5/29; restart; \
              inUse = 6; del c3; add c6 = 10.0.0.3/29
          A93 After another start of the machine no pod lives; the gateway stays the same \
            | agent 10.0.0.0/24 fd00::/64; add c1; boots boot-2; inUse = 2; boots boot-1; \
              inUse = 2
          A93 Where the system has no id of its start, an attachment stays \
            | agent 10.0.0.0/24 fd00::/64; add c1 = 10.0.0.18/24 fd00::12/64; boots; \
              add c1 = 10.0.0.18/24 fd00::12/64; inUse = 4
          """)
  void story(String name, String story) {
    PodStory.run(story);
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
}
