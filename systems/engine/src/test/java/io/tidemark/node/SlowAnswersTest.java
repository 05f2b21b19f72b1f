package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.HandshakeState;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectSite;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Handshakes over a line on which answers are slow or get lost")
class SlowAnswersTest {
  private final EngineConfig releasing =
      EngineConfig.defaults().releasingAfter(Duration.ofSeconds(2));
  private final Line line = new Line();

  private static final class Line implements EffectModel {
    private long answerNanos;
    private boolean losesAnswer;

    @Override
    public EffectFate decide(EffectSite site, Duration timeout) {
      return losesAnswer
          ? EffectFate.answerLost(Duration.ZERO)
          : new EffectFate(0, answerNanos, EffectFate.Loss.NOTHING);
    }
  }

  private NodeWorld oneSurplusAddress() {
    NodeWorld world = NodeWorld.started(releasing, line);
    NodeStory.run(world, "one surplus", "create p=1 m=3; 1s; use 3; 1s; use 2; 1500ms");
    return world;
  }

  private static void untilMarked(NodeWorld world) {
    for (int i = 0; i < 5_000 && states(world).isEmpty(); i++) {
      world.run(Duration.ofMillis(1));
    }
    assertEquals(Set.of(HandshakeState.MARKED_FOR_RELEASE), Set.copyOf(states(world)));
  }

  private static Collection<HandshakeState> states(NodeWorld world) {
    return world.resource("node1").releaseIps().values();
  }

  @Test
  @DisplayName("D-5 an agent's answer that overtakes the answer to our own mark still counts")
  void agentOvertakes() {
    NodeWorld world = oneSurplusAddress();
    line.answerNanos = Duration.ofMillis(20).toNanos();
    untilMarked(world);
    world.agentAnswers("node1", HandshakeState.READY_FOR_RELEASE);
    world.run(Duration.ofSeconds(5));
    assertEquals(Set.of(HandshakeState.RELEASED), Set.copyOf(states(world)));
    assertEquals("3/2", world.availableUsed("node1"));
  }

  @Test
  @DisplayName("F-2 a repeated status write says what is true then, not what was when it began")
  void repeatedWrite() {
    NodeWorld world = oneSurplusAddress();
    line.losesAnswer = true;
    untilMarked(world);
    line.losesAnswer = false;
    world.run(Duration.ofSeconds(10));
    world.agentAnswers("node1", HandshakeState.READY_FOR_RELEASE);
    world.run(Duration.ofSeconds(10));
    assertEquals("3/2", world.availableUsed("node1"), "released while the write waits");
    for (int i = 0; i < 30_000; i++) {
      world.run(Duration.ofMillis(1));
      boolean markedAgain = states(world).contains(HandshakeState.MARKED_FOR_RELEASE);
      assertTrue(!markedAgain, "an address that is not attached is marked for release");
    }
    assertEquals(Set.of(HandshakeState.RELEASED), Set.copyOf(states(world)));
    assertEquals(3, world.resource("node1").pool().size());
  }
}
