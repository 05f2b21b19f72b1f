package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.mock.cloud.AnswerLost;
import io.tidemark.provider.mock.cloud.CloudErrorCode;
import io.tidemark.provider.mock.cloud.CloudException;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.Failure;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("D-8 the meaning of errors")
class MockFailureClassifierTest {
  private static final CallKind KIND = CloudOperation.ATTACH_NETWORK_INTERFACE.kind();

  private final MockFailureClassifier classifier = new MockFailureClassifier();

  @ParameterizedTest(name = "{0} \"{1}\" is {2} {3}")
  @CsvSource({
    "REQUEST_LIMIT_EXCEEDED, Request limit exceeded., THROTTLED, requestLimit",
    "INSUFFICIENT_FREE_ADDRESSES, x, CAPACITY, insufficientFreeAddresses",
    "INSUFFICIENT_CIDR_BLOCKS, x, CAPACITY, insufficientCidrBlocks",
    "INVALID_PARAMETER, There aren't sufficient free Ipv4 addresses or prefixes, CAPACITY,"
        + " insufficientCidrBlocks",
    "PRIVATE_IP_ADDRESS_LIMIT, x, CAPACITY, interfaceFull",
    "INTERFACE_ADDRESS_LIMIT, x, CAPACITY, interfaceFull",
    "ATTACHMENT_LIMIT, x, CAPACITY, instanceFull",
    "INTERFACE_IN_USE, x, CONFLICT, interfaceInUse",
    "INCORRECT_STATE, Instance 'i-1' is not 'running', NOT_RUNNING, instanceNotRunning",
    "INCORRECT_STATE, The interface is detaching, CONFLICT, incorrectState",
    "INSTANCE_NOT_FOUND, x, NOT_FOUND, instanceGone",
    "INTERFACE_NOT_FOUND, x, NOT_FOUND, interfaceGone",
    "SUBNET_NOT_FOUND, x, CONFIGURATION, unknownReference",
    "INVALID_PARAMETER, already has an interface attached at device index '1'., CONFLICT,"
        + " deviceIndexTaken",
    "INVALID_PARAMETER, Some of the specified addresses are not assigned to interface eni-1,"
        + " CONFLICT, notAssigned",
    "INVALID_PARAMETER, nonsense, CONFIGURATION, invalidParameter",
    "TOKEN_MISMATCH, x, CONFLICT, tokenMismatch",
    "UNAUTHORIZED, x, CONFIGURATION, unauthorized",
    "UNAVAILABLE, x, TRANSIENT, cloudUnavailable",
  })
  void meanings(CloudErrorCode code, String text, Failure.Kind kind, String condition) {
    Failure failure = classifier.classify(KIND, new CloudException(code, text));

    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.condition()).isEqualTo(condition);
    assertThat(failure.detail()).contains(code.wire()).contains(text);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("every code means something, never a lost answer")
  void everyCode(CloudErrorCode code) {
    assertThat(classifier.classify(KIND, new CloudException(code, "x")).kind())
        .isNotEqualTo(Failure.Kind.LOST);
  }

  @Test
  @DisplayName("whatever is no answer of the cloud is a lost answer")
  void lost() {
    for (Throwable thrown :
        new Throwable[] {
          new AnswerLost(CloudOperation.ATTACH_NETWORK_INTERFACE),
          new TimeoutException(),
          new InterruptedException(),
          new IllegalStateException("a defect")
        }) {
      assertThat(classifier.classify(KIND, thrown).kind()).isEqualTo(Failure.Kind.LOST);
    }
  }
}
