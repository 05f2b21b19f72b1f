package io.tidemark.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Commands of a script")
class DocumentCommandsTest {
  @Test
  @DisplayName("DC-1 are found on lines that go on, behind variables, in pipes and before comments")
  void commands() {
    String script =
        """
        A_B=c ./tidemark run \\
          --once
        kubectl get nodes -o yaml |
            ./tidemark plan --nodes=-  # what does not fit
        cp a b && cd 'b # c'
        # only a comment
        """;

    assertThat(DocumentCommands.commands(script))
        .containsExactly(
            "./tidemark run --once",
            "kubectl get nodes -o yaml",
            "./tidemark plan --nodes=-",
            "cp a b",
            "cd 'b # c'");
  }

  @Test
  @DisplayName("DC-1 of the program are found in every document, in blocks and in sentences")
  void calls() {
    assertThat(DocumentCommands.documents()).contains("README.md", "docs/aws.md", "CHANGELOG.md");
    assertThat(DocumentCommands.calls())
        .anyMatch(call -> call.inText() && call.words().get(0).equals("doctor"))
        .anyMatch(
            call -> !call.inText() && call.words().contains("--scenario=examples/aws/ec2.yaml"));
  }
}
