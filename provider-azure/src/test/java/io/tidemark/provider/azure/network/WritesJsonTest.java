package io.tidemark.provider.azure.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The body of a write")
class WritesJsonTest {
  private static final String ID =
      "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/networkInterfaces/n";

  private static String configuration(String name, String properties) {
    return "{\"name\":\"" + name + "\",\"properties\":{" + properties + "}}";
  }

  @Test
  @DisplayName("a configuration with neither subnet nor address is not sent back")
  void shell() throws ArmFailure {
    String json =
        "{\"id\":\""
            + ID
            + "\",\"name\":\"n\",\"properties\":{\"ipConfigurations\":["
            + String.join(
                ",",
                configuration(
                    "first",
                    "\"primary\":true,\"privateIPAddress\":\"10.0.0.4\",\"subnet\":{\"id\":\"/s\"}"),
                configuration("shell", "\"primary\":false"),
                configuration("none", "\"primary\":false,\"subnet\":null"),
                configuration("late", "\"primary\":false,\"subnet\":{\"id\":\"/s\"}"),
                configuration("used", "\"primary\":false,\"privateIPAddress\":\"10.0.0.5\""))
            + "]}}";
    WritableResource base = WritesJson.read(ResourceId.of(ID), json);
    String body = WritesJson.body(base, new ConfigurationChange("n", List.of(), Set.of("nothing")));
    assertThat(body).contains("\"first\"", "\"late\"", "\"used\"").doesNotContain("shell", "none");
  }
}
