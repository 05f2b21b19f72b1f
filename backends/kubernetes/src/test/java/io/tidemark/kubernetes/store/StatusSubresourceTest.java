package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Whether the API server keeps the status of CiliumNodes")
class StatusSubresourceTest {
  private final StatusSubresource status = new StatusSubresource();

  @Test
  @DisplayName("it does not when a status is not found whose object is there, until a write works")
  void missing() {
    status.notFound("n1", "u1");
    assertThat(status.trouble()).isEmpty();
    status.read("n1", "u1");
    assertThat(status.trouble()).hasValueSatisfying(it -> assertThat(it).contains("TM-1107"));
    status.works();
    assertThat(status.trouble()).isEmpty();
    status.read("n1", "u1");
    assertThat(status.trouble()).as("one doubt is judged once").isEmpty();
  }

  @Test
  @DisplayName("an object that was deleted, or created again, proves nothing")
  void gone() {
    status.notFound("n1", "u1");
    status.read("n1", "");
    status.notFound("n2", "u2");
    status.read("n2", "u3");
    status.notFound("n3", "");
    status.read("n3", "");
    status.read("n4", "u4");
    assertThat(status.trouble()).isEmpty();
  }
}
