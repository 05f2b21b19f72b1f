package io.tidemark.provider.azure.simulation;

import io.tidemark.provider.azure.network.ArmApi;
import io.tidemark.provider.azure.network.ArmFailure;
import io.tidemark.provider.azure.network.ArmFailures;
import io.tidemark.provider.azure.network.ArmList;
import io.tidemark.provider.azure.network.ArmOperation;
import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.WritableResource;
import io.tidemark.simulation.cloud.CloudTemper;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A door to Resource Manager that is as bad as the scenario says, and tells what it wrote. */
record TemperedArmApi(
    ArmApi genuine,
    CloudTemper temper,
    Runnable before,
    Consumer<ResourceId> written,
    Consumer<String> throttled)
    implements InvocationHandler {
  /**
   * As it is called.
   *
   * @param before runs before each request
   * @param written receives what each write was about, whether or not it succeeded
   * @param throttled receives the operation of each request that came too early
   */
  static UnaryOperator<ArmApi> of(
      CloudTemper temper,
      Runnable before,
      Consumer<ResourceId> written,
      Consumer<String> throttled) {
    return genuine ->
        (ArmApi)
            Proxy.newProxyInstance(
                ArmApi.class.getClassLoader(),
                new Class<?>[] {ArmApi.class},
                new TemperedArmApi(genuine, temper, before, written, throttled));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    String operation = operation(method.getName(), arguments).kind().name();
    if (temper.refuses(operation)) {
      throw ArmFailures.refused(500, "InternalServerError", "An internal error has occurred.");
    }
    before.run();
    try {
      return method.invoke(genuine, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof ArmFailure failure && isThrottled(failure)) {
        throttled.accept(operation);
      }
      throw e.getCause();
    } finally {
      if (arguments != null && arguments[0] instanceof WritableResource base) {
        written.accept(base.id());
      }
    }
  }

  private static boolean isThrottled(ArmFailure failure) {
    return failure.status() == 429 && !failure.code().contains("AnotherOperation");
  }

  private static ArmOperation operation(String method, Object[] arguments) {
    return switch (method) {
      case "read" -> ((ArmRead<?>) arguments[0]).operation();
      case "page" -> ((ArmList<?>) arguments[0]).operation();
      case "write" -> ArmOperation.writeOf(((WritableResource) arguments[0]).id());
      case "createPublicAddress" -> ArmOperation.PUBLIC_ADDRESS_UPDATE;
      case "operation" -> ArmOperation.OPERATION_GET;
      case "endpoint" -> ArmOperation.ENDPOINT;
      default ->
          throw new IllegalStateException("the simulation does not know the request " + method);
    };
  }
}
