package io.tidemark.nodeid.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.nodeid.NodeId;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What the agent of a node knows of its id (node-id 19.2 AM12)")
class IdAgreementTest {
  @ParameterizedTest(name = "memory {0}, node shows {1}, claim of {2} {3}: {4}")
  @DisplayName("NI-34 NI-D19 An agent gives out addresses while memory, mirror and claim agree")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # memory | shows | holder | its uid | outcome
             -     |   5   |  n1    |  u-1    | agreed on 5
             5     |   5   |  n1    |  u-1    | agreed on 5
             -     |   -   |  -     |  -      | TM-1506 node n1 shows no id yet
             -     |   x   |  -     |  -      | TM-1506 node n1 shows no id yet
             -     |   5   |  -     |  -      | TM-1506 id 5 of node n1 has no claim
             5     |   5   |  -     |  -      | TM-1506 id 5 of node n1 has no claim
             -     |   5   |  n1    |  u-0    | TM-1506 the claim of id 5 is that of an earlier node n1
             -     |   5   |  n2    |  u-2    | TM-1502 id 5 of node n1 is claimed by node n2
             4     |   5   |  n1    |  u-1    | TM-1502 node n1 uses id 4 and shows 5
             4     |   -   |  n1    |  u-1    | TM-1502 node n1 uses id 4 and shows none
          """)
  void table(String memory, String shows, String holder, String uid, String outcome) {
    ClusterNode node = ClusterNode.named("n1", "u-1");
    ClusterNode shown =
        shows.equals("-") ? node : node.withAnnotations(Map.of(NodeIdMirror.ID, shows));
    Optional<Claim> claim =
        holder.equals("-")
            ? Optional.empty()
            : Optional.of(new Claim("node-id-5", "c", "1", holder, uid));
    Optional<NodeId> remembered =
        memory.equals("-") ? Optional.empty() : Optional.of(NodeId.parse(memory));
    assertThat(text(IdAgreement.of(remembered, shown, claim))).isEqualTo(outcome);
  }

  private static String text(IdAgreement agreement) {
    return agreement instanceof IdAgreement.Agreed agreed
        ? "agreed on " + agreed.id()
        : ((IdAgreement.Withheld) agreement).code().label()
            + ' '
            + ((IdAgreement.Withheld) agreement).detail();
  }
}
