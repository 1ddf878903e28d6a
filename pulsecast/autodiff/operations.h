// All differentiable operations.
#pragma once

#include "pulsecast/autodiff/operations/arithmetic.h"
#include "pulsecast/autodiff/operations/assemble.h"
#include "pulsecast/autodiff/operations/attention.h"
#include "pulsecast/autodiff/operations/batch_norm.h"
#include "pulsecast/autodiff/operations/convolution.h"
#include "pulsecast/autodiff/operations/dropout.h"
#include "pulsecast/autodiff/operations/gelu.h"
#include "pulsecast/autodiff/operations/layer_norm.h"
#include "pulsecast/autodiff/operations/linear.h"
#include "pulsecast/autodiff/operations/losses.h"
#include "pulsecast/autodiff/operations/matmul.h"
#include "pulsecast/autodiff/operations/moving_average.h"
#include "pulsecast/autodiff/operations/rearrange.h"
#include "pulsecast/autodiff/operations/revin.h"
#include "pulsecast/autodiff/operations/softmax.h"
#include "pulsecast/autodiff/operations/spectrum.h"
