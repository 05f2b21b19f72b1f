package io.tidemark.provider.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.Option;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.eni.AwsError;
import io.tidemark.testing.ErrorDocs;
import io.tidemark.testing.Repository;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("docs/aws.md")
class AwsDocsTest {
  private static final String PAGE = Repository.text("docs/aws.md");

  @Test
  @DisplayName("list every error with its kind and remedy")
  void errors() {
    ErrorDocs.assertListed(3000, 3999, List.of(AwsError.class));
    ErrorDocs.assertSound(List.of(AwsError.class));
  }

  @Test
  @DisplayName("lists every key with its meaning")
  void keys() {
    List<String> expected = new ArrayList<>();
    for (Option<?> key : AwsKeys.all()) {
      String otherwise = key.defaultText().map(text -> " (default: " + text + ")").orElse("");
      expected.add("| `" + key.key() + "` | " + key.meaning() + otherwise + " |");
    }
    expected.sort(Comparator.naturalOrder());
    String settings = PAGE.substring(PAGE.indexOf("## Settings"));
    assertThat(
            settings
                .lines()
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| `")))
        .containsExactlyElementsOf(expected);
  }

  @Test
  @DisplayName("names the permission of every operation that we use, or its policy grants it")
  void permissions() {
    String policy = Repository.text("deploy/aws/policy.json");
    for (Ec2Operation operation : Ec2Operation.values()) {
      assertThat(PAGE + policy).contains("ec2:" + operation.action());
    }
  }
}
