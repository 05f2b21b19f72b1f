package io.tidemark.provider.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.Option;
import io.tidemark.provider.azure.ipam.AzureError;
import io.tidemark.spi.ProviderFactory;
import io.tidemark.testing.ErrorDocs;
import io.tidemark.testing.Repository;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The documents of the provider azure")
class AzureDocsTest {
  private static final String PAGE = Repository.text("docs/azure.md");

  @Test
  @DisplayName("list every key with its meaning")
  void keys() {
    List<String> expected = new ArrayList<>();
    for (Option<?> key : AzureKeys.all()) {
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
  @DisplayName("Z49 list every error with its kind and remedy")
  void errors() {
    ErrorDocs.assertListed(4000, 4999, List.of(AzureError.class));
    ErrorDocs.assertSound(List.of(AzureError.class));
  }

  @Test
  @DisplayName("K11 The provider is found by its name, and gives a change five minutes")
  void serviceLoader() {
    assertThat(ServiceLoader.load(ProviderFactory.class))
        .filteredOn(factory -> factory.name().equals("azure"))
        .singleElement()
        .isInstanceOf(AzureProviderFactory.class)
        .satisfies(it -> assertThat(it.passTimeout()).contains(Duration.ofMinutes(5)));
  }
}
