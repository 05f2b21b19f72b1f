package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.node.config.EngineConfig;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
@DisplayName("Interfaces in subnets that lost their tags are emptied (provider-aws 12)")
class RetiredSubnetsTest {
  /** With the agent's answers, and words for a subnet that is drained. */
  private static final class Story extends EniStory {
    Story() {
      super(new EniWorld(Samples.with("retireSubnets", true)));
    }

    @Override
    boolean own(String verb, String... words) {
      String text = String.join(" ", words);
      switch (verb) {
        case "fill" -> {
          String flags = text.contains("keeping") ? "" : " releasing";
          flags += text.contains("primary") ? " primary" : "";
          flags += text.contains("delegated") ? " blocks" : "";
          tell(
              text,
              "subnet old 10.0.1.0/24 tier=pods; run "
                  + words[1]
                  + (" " + words[0] + " first=1 subnets=tier=pods" + flags)
                  + ("; use " + words[2]));
        }
        case "untag" -> tell(text, "mark old tier=none; subnet new 10.0.2.0/24 tier=pods");
        case "operator" -> {
          world.start(EngineConfig.defaults().releasingAfter(HANDSHAKE));
          world.run(EniWorld.WHILE);
        }
        case "drain" -> drain(number(words[0]), number(words[1]));
        case "held" -> expect(heldIn(id(words[0]))).isEqualTo(words[1]);
        case "podsOn" ->
            assertThat(
                    at(words[0])
                        .singles()
                        .containsAll(world.server.find("node1").orElseThrow().used()))
                .isTrue();
        case "atRest" -> tell(text, "state OK; nothingMoves");
        case "nothingMoves" -> {
          tell(text, "remember");
          drain(10, Integer.MAX_VALUE);
          tell(text, "readsOnly");
        }
        case "says" -> expect(world.explain("node1").plan()).isEqualTo(text);
        case "mentions" -> expect(world.explain("node1").plan()).contains(text);
        case "draining" ->
            expect(world.explain("node1").numbers().getOrDefault("draining", "nothing"))
                .isEqualTo(text);
        default -> {
          return false;
        }
      }
      return true;
    }

    private void drain(int minutes, int ceiling) {
      for (int i = 0; i < 2 * minutes; i++) {
        world.run(Duration.ofSeconds(30));
        world.agentAnswers("node1");
        world.agentCleansUp("node1");
        assertThat(world.attached("node1")).isLessThanOrEqualTo(ceiling);
        assertThat(world.report("node1").needed()).isZero();
        assertThat(world.report("node1").blocked()).isEmpty();
      }
    }

    private int heldIn(String subnet) {
      return world.interfaces("node1").stream()
          .filter(each -> each.subnet().text().equals(subnet))
          .mapToInt(each -> each.singles().size() + 16 * each.prefixes().size())
          .sum();
    }
  }

  @DisplayName("while pods may stay where they are")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          pods on half of it: the free half goes at once, the rest as they end, then itself \
            | with releaseInterfaces; fill m5.xlarge 6/0/0/0 6; is 12/6; untag; drain 6 18; \
              is 12/6; held old 6; podsOn 1; nameAt 1 retired; atRest; use 0; drain 6 18; \
              held old 0; is 6/0; drain 14 18; gone retired; interfaces 2; unattached 0; atRest
          with nothing given back, all stays as it is \
            | fill m5.xlarge 6/0/0/0 6 keeping; remember; untag; drain 10 12; held old 12; \
              readsOnly; draining nothing
          off, all stays as it is \
            | with retireSubnets=false; fill m5.xlarge 6/0/0/0 6; remember; untag; drain 10 12; \
              held old 12; readsOnly; draining nothing
          at max-allocate it waits, is ok and says why; never one address more \
            | fill m5.xlarge 6/0/12/0 6; untag; drain 6 12; held old 12; state OK; \
              says idle: the drain waits, its free addresses stay in use: 12 addresses are all \
              that the ceiling allows; draining 1 interface, 6 free addresses: 0 may leave now, \
              6 others must come first for the rest; use 4; drain 20 12; held old 4; is 10/4; atRest
          with all slots taken it waits, is ok and says why \
            | fill m5.large 8/0/0/0 8; interfaces 3; is 16/8; untag; drain 6 16; held old 16; \
              state OK; mentions idle: the drain waits; \
              mentions has 3 of 3 interfaces on network card 0, none with room; atRest
          with no other subnet it waits, is ok and says why, and goes on once there is one \
            | fill m5.xlarge 6/0/0/0 6; mark old tier=none; drain 6 12; held old 12; \
              mentions idle: the drain waits; mentions not selected by ids or tags; atRest; \
              subnet new 10.0.2.0/24 tier=pods; drain 6 18; held old 6; is 12/6; atRest
          what pods lack blocks all the same \
            | fill m5.xlarge 6/0/0/0 6; mark old tier=none; drain 3 12; use 12; 1m; needs 6; \
              state BLOCKED; why NO_SUBNET
          the tag comes back: its addresses are like any others, and nothing moves \
            | fill m5.xlarge 6/0/12/0 6; untag; drain 3 12; mark old tier=pods; drain 3 12; \
              held old 12; draining nothing; atRest
          a block goes whole, once no pod holds any of it \
            | fill m5a.xlarge 8/0/0/0 10 delegated; is 32/10; untag; drain 6 48; held old 16; \
              is 32/10; nothingMoves; use 0; drain 6 48; held old 0; is 16/0; nothingMoves
          where primary addresses serve pods it cannot be emptied: surplus goes first there \
            | fill m5.xlarge 6/0/0/0 0 primary; drain 3 18; remember; untag; drain 6 18; \
              readsOnly; draining nothing; atRest
          """)
  void story(String what, String story) {
    new Story().tell(what, story);
  }

  @DisplayName("the operator is started anew amid the drain: it ends as if it had not been")
  @ParameterizedTest(name = "after {0} s")
  @ValueSource(ints = {0, 30, 65, 95, 125})
  void restarted(int seconds) {
    new Story()
        .tell(
            "a restart",
            "fill m5.xlarge 6/0/0/0 6; untag; "
                + seconds
                + "s; restart; operator; drain 8 18; held old 6; is 12/6; atRest");
  }
}
