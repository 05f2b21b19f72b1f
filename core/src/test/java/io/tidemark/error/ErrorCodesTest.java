package io.tidemark.error;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import io.tidemark.spi.BlockedReason;
import io.tidemark.testing.ErrorDocs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ErrorCodesTest {
  private static final List<Class<? extends ErrorCode>> ENUMS =
      List.of(CoreError.class, BlockedReason.class, CloudError.class);

  @Test
  @DisplayName("docs/errors.md lists every code of core as it is")
  void documented() {
    ErrorDocs.assertListed(1000, 1399, List.of(CoreError.class, BlockedReason.class));
    ErrorDocs.assertListed(2000, 2999, List.of(CloudError.class));
  }

  @Test
  @DisplayName("Every number is used once, every remedy is a sentence")
  void sound() {
    ErrorDocs.assertSound(ENUMS);
  }

  @Test
  @DisplayName("A message holds code, name, offending value and remedy")
  void message() {
    IpamException thrown =
        new IpamException(CoreError.PORT_TAKEN, "cannot listen on 127.0.0.1:9090");
    assertThat(thrown)
        .hasMessage(
            "TM-1022 PORT_TAKEN: cannot listen on 127.0.0.1:9090."
                + " Choose another port, or end the program that uses it.");
    assertThat(thrown.code()).isEqualTo(CoreError.PORT_TAKEN);
    assertThat(thrown.detail()).isEqualTo("cannot listen on 127.0.0.1:9090");
  }

  @Test
  @DisplayName("No enum of codes is forgotten here")
  void complete() {
    List<String> found =
        new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .withImportOption(ErrorCodesTest::namesErrorCode)
                .importPackages("io.tidemark")
                .stream()
                .filter(type -> type.isAssignableTo(ErrorCode.class) && type.isEnum())
                .map(JavaClass::getName)
                .sorted()
                .toList();
    assertThat(found)
        .containsExactlyElementsOf(ENUMS.stream().map(Class::getName).sorted().toList());
  }

  /** Whether the class file has the name among its constants; reading all classes takes seconds. */
  private static boolean namesErrorCode(Location classFile) {
    try (InputStream in = classFile.asURI().toURL().openStream()) {
      String name = ErrorCode.class.getName().replace('.', '/');
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).contains(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
