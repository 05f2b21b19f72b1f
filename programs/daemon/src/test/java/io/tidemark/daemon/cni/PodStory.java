package io.tidemark.daemon.cni;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.CoolingRule;
import io.tidemark.daemon.cni.TestAgent.Reply;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.metrics.Metric;
import io.tidemark.testing.Story;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A test of an agent's pods in words, as "agent 10.0.0.0/29; add c1 = 10.0.0.2/29; del c1; inUse =
 * 1": a step and, after the sign, all that it answers, which is the code of a failure. A step
 * without the sign must succeed, and an ADD that is repeated must be answered in the same way.
 */
final class PodStory extends Story {
  private final Map<String, CompletableFuture<Reply>> sent = new HashMap<>();
  private final Map<String, Reply> had = new HashMap<>();
  private TestAgent agent = new TestAgent("10.0.0.0/24", "fd00::/64");
  private Reply last = new Reply(true, "");

  private PodStory() {}

  /** Runs it to its end. */
  static void run(String story) {
    new PodStory().tell(story);
  }

  @Override
  protected void pass(Duration duration) {
    agent.pass(duration);
  }

  @Override
  protected String answer(String verb, List<String> args) {
    last = new Reply(true, "");
    String answer = answered(verb, args);
    failed = !last.succeeded();
    return answer;
  }

  private String answered(String verb, List<String> args) {
    String first = args.isEmpty() ? "" : args.get(0);
    switch (verb) {
      case "agent" -> agent = new TestAgent(args.toArray(String[]::new));
      case "cools" ->
          agent =
              new TestAgent(
                  new CoolingRule(Duration.parse("PT" + first), Duration.parse("PT" + args.get(1))),
                  args.subList(2, args.size()).toArray(String[]::new));
      case "restart" -> agent.restart();
      case "boots" -> {
        agent.boot = args.isEmpty() ? "" : first;
        agent.restart();
      }
      case "fails" -> agent.files.fault(agent.files.changes().size(), Fault.FAILS, 0);
      case "clock" -> agent.world.clock().step(Duration.parse("PT" + first));
      case "sends" ->
          sent.put(
              args.get(1),
              agent.send(TestAgent.request(first, args.get(2), "1.1.0", "").getBytes(UTF_8)));
      case "fill" -> List.of("c1", "c2", "c3", "c4", "c5").forEach(this::add);
      case "add" -> args.forEach(this::add);
      case "del" -> {
        had.remove(first);
        last = agent.delete(first);
      }
      case "status" -> last = agent.status();
      case "reply" -> {
        CompletableFuture<Reply> reply = Objects.requireNonNull(sent.get(first));
        if (!reply.isDone()) {
          last = new Reply(false, "");
          return "none yet";
        }
        last = reply.join();
      }
      default -> {
        return shown(verb, String.join(" ", args));
      }
    }
    return last.succeeded() ? String.join(" ", last.addresses()) : last.code() + text(last);
  }

  private void add(String pod) {
    assertThat(last.succeeded()).as("before %s: %s", pod, last).isTrue();
    last = agent.add(pod);
    if (last.succeeded()) {
      assertThat(had.getOrDefault(pod, last)).isEqualTo(last);
      had.put(pod, last);
    }
  }

  /** Without the remedy. */
  private static String text(Reply failed) {
    String details = failed.json().path("details").asText();
    return details.isEmpty() ? "" : " " + details.split("\\. ", -1)[0];
  }

  private String shown(String verb, String text) {
    return switch (verb) {
      case "inUse" -> String.valueOf(agent.inUse());
      case "cooling" ->
          String.valueOf(
              agent.ipam.snapshot().stream().mapToInt(each -> each.counts().cooling()).sum());
      case "waiting" -> String.valueOf(agent.measured.value(Metric.AGENT_CNI_WAITING));
      case "requests" ->
          String.valueOf(agent.measured.value(Metric.AGENT_CNI_REQUESTS, text.split(" ", -1)));
      case "inFile" -> String.valueOf(agent.fileText().contains('"' + text + '"'));
      default -> throw new IllegalArgumentException(verb);
    };
  }
}
